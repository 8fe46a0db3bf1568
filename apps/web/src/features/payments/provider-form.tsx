import type { PaymentOrder, PaymentProviderView } from '@hansom/contract/payments'
import type { ReactNode } from 'react'
import classes from './provider-chooser.module.css'

interface Props {
  provider: PaymentProviderView
  order: PaymentOrder
  /** Returns false to stop the submission, because another one is in progress. */
  onGo: () => boolean
  children: ReactNode
}

/** Form with an order's fields, posted to the provider's link; leaves the page. */
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
