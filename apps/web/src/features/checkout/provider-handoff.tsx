import type { CheckoutView } from '@hansom/contract/payments'
import { type FormEvent, type ReactNode, type Ref, useEffect, useRef } from 'react'
import { useText } from '../../lib/i18n.ts'
import { type ButtonLook, buttonClass } from '../../ui/button.tsx'

interface Props {
  action: string
  fields: readonly { name: string; value: string }[]
  /** The form is being submitted. */
  onGo: () => void
  children: ReactNode
  ref?: Ref<HTMLFormElement>
}

/** The form to post to a provider, with its fields in order. Submits once. */
export function ProviderForm({ action, fields, onGo, children, ref }: Props) {
  const isGone = useRef(false)
  const submit = (event: FormEvent) => {
    if (isGone.current) return event.preventDefault()
    isGone.current = true
    onGo()
  }
  return (
    <form ref={ref} method="post" action={action} acceptCharset="utf-8" onSubmit={submit}>
      {fields.map(({ name, value }, index) => (
        // Names may repeat.
        <input key={`${index} ${name}`} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

const inPage = new Set<string>()
const keyOf = (payment: string) => `hansom-led-on:${payment}`

/** True if this window was already sent to the provider for the payment: a Back must not pay again. */
export function wasRedirected(payment: string): boolean {
  try {
    return inPage.has(payment) || sessionStorage.getItem(keyOf(payment)) !== null
  } catch {
    return inPage.has(payment)
  }
}

/** Stores it until the window is closed. */
export function rememberRedirect(payment: string): void {
  inPage.add(payment)
  try {
    sessionStorage.setItem(keyOf(payment), '1')
  } catch {
    // Storage is unavailable: remembered until the page is closed.
  }
}

/**
 * The content security policy lets only the checkout document connect to its provider, so a page reached by client-side
 * navigation is loaded once more. True when the page has its own document.
 */
export function useOwnDocument(isNeeded: boolean): boolean {
  const isOwn = loadedPath() === location.pathname
  useEffect(() => {
    if (isNeeded && !isOwn) location.reload()
  }, [isNeeded, isOwn])
  return isOwn
}

/** Loads the next page in full, because a provider's script ends only with its document. */
export function useLeaveDocument(): void {
  useEffect(() => {
    const path = location.pathname
    return () => {
      if (location.pathname !== path) location.reload()
    }
  }, [])
}

/** The path the document was loaded for. */
function loadedPath(): string | null {
  const [page] = performance.getEntriesByType('navigation')
  return page ? new URL(page.name).pathname : location.pathname
}

/**
 * A link back to the order. Loads the page in full, because this document may connect to the provider and the next one may
 * not.
 */
export function BackLink({ view, look }: { view: CheckoutView; look: ButtonLook }) {
  const { t } = useText()
  return view.booking ? (
    <a href={`/trip/${view.booking}`} className={buttonClass(look)}>
      {t('payments.back_to_trip')}
    </a>
  ) : (
    <a href="/wallet" className={buttonClass(look)}>
      {t('payments.back_to_wallet')}
    </a>
  )
}
