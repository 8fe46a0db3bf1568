import type { PaymentOrder, PaymentProviderView } from '@hansom/contract/payments'
import type { ReactNode } from 'react'
import classes from './provider-chooser.module.css'

interface Props {
  provider: PaymentProviderView
  order: PaymentOrder
  /** False keeps the form here: another one is on its way. */
  onGo: () => boolean
  children: ReactNode
}

/** The form of an order, posted to a provider's link. The page is left by it. */
export function ProviderForm({ provider, order, onGo, children }: Props) {
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
