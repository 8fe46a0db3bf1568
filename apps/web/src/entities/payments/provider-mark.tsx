import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { IconFlask2 } from '@tabler/icons-react'
import classes from './provider-mark.module.css'

/** Our own letter marks; no trademarked logos. */
const letters: Readonly<Record<Exclude<PaymentProviderName, 'test'>, string>> = {
  paypal: 'Pp',
  braintree: 'Bt',
  stripe: 'St',
  paytm: 'Pt',
  payulatam: 'Pu',
  flutterwave: 'Fw',
  paystack: 'Ps',
  securepay: 'Sp',
  payfast: 'Pf',
  liqpay: 'Lp',
  culqi: 'Cu',
  mercadopago: 'Mp',
}

/** A letter mark for a payment provider, next to its name. */
export function ProviderMark({ name }: { name: PaymentProviderName }) {
  return (
    <span className={classes.mark} data-provider={name} aria-hidden>
      {name === 'test' ? <IconFlask2 size={22} stroke={1.7} /> : letters[name]}
    </span>
  )
}
