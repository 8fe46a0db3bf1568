import type { PaymentOrder, PaymentProviderView } from '@hansom/contract/payments'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { ProviderMark } from '../../entities/payments/provider-mark.tsx'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadingState } from '../../ui/page-states.tsx'
import classes from './provider-chooser.module.css'
import { type KnownOrder, useOrder } from './use-order.ts'

interface Props {
  known: KnownOrder
  /** The provider of the last attempt, listed first for a retry. */
  again?: string
  /** Called when a provider was chosen and the page is about to be left. */
  onGo?: () => void
}

/** The available card providers; each leads to its payment page. */
export function ProviderChooser({ known: { order, error, retry }, again, onGo }: Props) {
  const { t } = useText()
  const format = useFormat()
  const { going, go } = useGoing()
  const heading = useId()
  if (error) return <NoProvider error={error} onRetry={retry} />
  if (!order) return <LoadingState rows={3} height="64px" />
  if (order.providers.length === 0) {
    return (
      <Notice tone="bad">
        <span>{t('error.no_provider_found')}</span>
      </Notice>
    )
  }
  const leave = (name: string) => {
    const isFirst = go(name)
    if (isFirst) onGo?.()
    return isFirst
  }
  const tried = order.providers.find(({ name, takes }) => name === again && takes)
  const others = order.providers.filter((provider) => provider !== tried)
  return (
    <section className={classes.chooser} aria-labelledby={heading}>
      {tried ? (
        <ProviderForm provider={tried} order={order} onGo={() => leave(tried.name)}>
          <Button type="submit" variant="primary" size="large" wide busy={going === tried.name}>
            {t('payments.try_again_with', { provider: isolated(t(`payments.provider_${tried.name}`)) })}
          </Button>
        </ProviderForm>
      ) : null}
      {others.length > 0 ? (
        <h2 id={heading} className={classes.heading}>
          {tried
            ? t('payments.another_method')
            : t('payments.choose_provider', { amount: isolated(format.money(order.amount)) })}
        </h2>
      ) : null}
      <ul className={classes.list}>
        {others.map((provider) => (
          <li key={provider.name}>
            <ProviderForm provider={provider} order={order} onGo={() => leave(provider.name)}>
              <ProviderButton provider={provider} currency={order.currency} going={going} />
            </ProviderForm>
          </li>
        ))}
      </ul>
      <p className={classes.note}>{t('payments.leaving_note')}</p>
    </section>
  )
}

function ProviderButton({
  provider: { name, takes, live },
  currency,
  going,
}: {
  provider: PaymentProviderView
  currency: string
  going: string | null
}) {
  const { t } = useText()
  const isGoing = going === name
  return (
    <button
      type="submit"
      className={classes.provider}
      disabled={!takes || (going !== null && !isGoing)}
      aria-busy={isGoing || undefined}
    >
      <ProviderMark name={name} />
      <span className={classes.words}>
        <bdi className={classes.name}>{t(`payments.provider_${name}`)}</bdi>
        {takes ? null : (
          <span className={classes.why}>{t('payments.takes_not', { currency: isolated(currency) })}</span>
        )}
        {isGoing ? <span className={classes.why}>{t('payments.opening')}</span> : null}
      </span>
      {live ? null : <span className={classes.sandbox}>{t('payments.sandbox')}</span>}
      <IconChevronRight size={20} aria-hidden className={classes.chevron} />
    </button>
  )
}

function NoProvider({ error, onRetry }: { error: NonNullable<KnownOrder['error']>; onRetry: () => void }) {
  const { t } = useText()
  return (
    <Notice tone="bad">
      <span>
        <ErrorMessage error={error} />
      </span>
      {error.key === 'provider_fetch_error' ? (
        <Button size="small" className={classes.retry} onClick={onRetry}>
          {t('common.retry')}
        </Button>
      ) : null}
    </Notice>
  )
}

/**
 * Allows only one choice that leaves the page, until the browser's history brings the page back.
 */
function useGoing(): { going: string | null; go: (name: string) => boolean } {
  const [going, setGoing] = useState<string | null>(null)
  // Two clicks may occur before the next render.
  const taken = useRef(false)
  useEffect(() => {
    const comeBack = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      taken.current = false
      setGoing(null)
    }
    addEventListener('pageshow', comeBack)
    return () => removeEventListener('pageshow', comeBack)
  }, [])
  const go = useCallback((name: string) => {
    if (taken.current) return false
    taken.current = true
    setGoing(name)
    return true
  }, [])
  return { going, go }
}

/** The providers for a retried order, starting with the one tried before. */
export function OrderChooser({ order, tried }: { order: string; tried: string }) {
  return <ProviderChooser known={useOrder(order)} again={tried} />
}

interface ProviderFormProps {
  provider: PaymentProviderView
  order: PaymentOrder
  /** Returns false to stop the submission, because another one is in progress. */
  onGo: () => boolean
  children: ReactNode
}

/** Form with an order's fields, posted to the provider's link; leaves the page. */
function ProviderForm({ provider, order, onGo, children }: ProviderFormProps) {
  return (
    <form
      method="post"
      action={provider.link}
      className={classes.form}
      onSubmit={(event) => {
        if (!onGo()) event.preventDefault()
      }}
    >
      {order.fields.map(({ name, value }) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}
