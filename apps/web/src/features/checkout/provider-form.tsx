import { type FormEvent, type ReactNode, type Ref, useRef } from 'react'

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
