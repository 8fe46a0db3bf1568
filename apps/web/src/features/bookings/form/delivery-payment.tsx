import { IconCash, IconCreditCard, IconWallet } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Money } from '../../../ui/money.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type CardOption, OptionCards } from '../../../ui/option-cards.tsx'
import classes from './confirm-dialog.module.css'
import type { ChosenPayment } from './last-payment.ts'

interface Amounts {
  /** Price of the delivery, 10^-4 of the currency unit. */
  payable: number
  balance: number
}

/** The payment methods that are possible for a delivery, the preferred one first. */
export function deliveryPayments(
  { payable, balance }: Amounts,
  { cardAvailable, deliveryCash }: { cardAvailable: boolean; deliveryCash: boolean },
): ChosenPayment[] {
  const isEnough = balance >= payable
  return [
    ...(cardAvailable ? (['card'] as const) : []),
    ...(cardAvailable && balance > 0 && !isEnough ? (['wallet_card'] as const) : []),
    ...(isEnough ? (['wallet'] as const) : []),
  ]
    .map((mode): ChosenPayment => ({ mode, inAdvance: false }))
    .concat(
      deliveryCash
        ? (['pickup', 'drop'] as const).map((cash_at) => ({ mode: 'cash', inAdvance: false, cash_at }))
        : [],
    )
}

const valueOf = ({ mode, cash_at }: ChosenPayment) => (cash_at ? `${mode}_${cash_at}` : mode)

/** The possible method that equals `last`, or the preferred one; undefined if none is possible. */
export function chosenAmong(
  methods: readonly ChosenPayment[],
  last: ChosenPayment | null,
): ChosenPayment | undefined {
  const same = methods.find((method) => last && valueOf(method) === valueOf(last))
  return same ?? methods.find(({ mode }) => mode === last?.mode) ?? methods[0]
}

interface Props extends Amounts {
  methods: readonly ChosenPayment[]
  value: ChosenPayment | undefined
  onChange: (payment: ChosenPayment) => void
  /** Outstanding amount collected with it. */
  outstanding: number
}

/** How the sender pays for a delivery: in advance, or in cash where couriers may collect it. */
export function DeliveryPayment({ methods, value, onChange, payable, balance, outstanding }: Props) {
  const { t } = useText()
  const format = useFormat()
  if (!value) {
    return (
      <Notice tone="attention">
        <span>{t('delivery.no_payment')}</span>
        <Link to="/wallet">{t('parcelForm.to_wallet')}</Link>
      </Notice>
    )
  }
  const icon = { size: 22, stroke: 1.6, 'aria-hidden': true }
  const option = (method: ChosenPayment): CardOption<string> => {
    const at = { value: valueOf(method) }
    if (method.cash_at) {
      const isPickup = method.cash_at === 'pickup'
      return {
        ...at,
        icon: <IconCash {...icon} />,
        name: t(isPickup ? 'parcelForm.cash_pickup' : 'parcelForm.cash_drop'),
        detail: t(isPickup ? 'parcelForm.cash_pickup_text' : 'parcelForm.cash_drop_text'),
      }
    }
    if (method.mode === 'card') {
      return {
        ...at,
        icon: <IconCreditCard {...icon} />,
        name: t('payments.method_card'),
        detail: t('payments.card_now'),
      }
    }
    const isMixed = method.mode === 'wallet_card'
    return {
      ...at,
      icon: <IconWallet {...icon} />,
      name: t(isMixed ? 'payments.method_wallet_card' : 'booking.pay_wallet'),
      detail: isMixed ? (
        <>
          <Money amount={balance} /> + <Money amount={payable - balance + outstanding} />
        </>
      ) : (
        <Money amount={balance} />
      ),
    }
  }
  return (
    <div>
      <OptionCards
        legend={t('booking.pay_with')}
        options={methods.map(option)}
        value={valueOf(value)}
        onChange={(chosen) => {
          const method = methods.find((one) => valueOf(one) === chosen)
          if (method) onChange(method)
        }}
      />
      {value.cash_at ? (
        <p className={classes.note}>
          {t('parcelForm.cash_note', { amount: isolated(format.money(payable)) })}
        </p>
      ) : null}
    </div>
  )
}
