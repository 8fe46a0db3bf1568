import type { FareOffer } from '@hansom/contract/bookings'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { IconCash, IconCreditCard, IconWallet } from '@tabler/icons-react'
import { useText } from '../../../lib/i18n.ts'
import { useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Money } from '../../../ui/money.tsx'
import { type CardOption, OptionCards } from '../../../ui/option-cards.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import classes from './confirm-dialog.module.css'
import type { ChosenPayment } from './last-payment.ts'

interface Props {
  value: ChosenPayment
  onChange: (payment: ChosenPayment) => void
  /** Price of the trip, 10^-4 of the currency unit. */
  payable: number
  /** Outstanding amount collected with it, unless the wallet pays for everything. */
  outstanding: number
}

/** Payment methods with the amount each one is charged; for a card also when. */
export function PaymentChoice({ value, onChange, payable, outstanding }: Props) {
  const { t } = useText()
  const { cardAvailable, category } = useSettings()
  const balance = useMe()?.walletBalance ?? 0
  const isByCard = value.mode === 'card' || value.mode === 'wallet_card'
  const isTaxi = category === 'taxi'
  const tooLow = balance < payable
  const methods: CardOption<PaymentMode>[] = [
    {
      value: 'cash',
      icon: <IconCash size={22} stroke={1.6} aria-hidden />,
      name: t('booking.pay_cash'),
      detail: t('booking.pay_cash_text'),
    },
    {
      value: 'wallet',
      icon: <IconWallet size={22} stroke={1.6} aria-hidden />,
      name: t('booking.pay_wallet'),
      detail: (
        <>
          <Money amount={balance} />
          {tooLow ? ` · ${t('booking.too_low')}` : null}
        </>
      ),
      disabled: tooLow,
    },
  ]
  if (cardAvailable) {
    methods.push({
      value: 'card',
      icon: <IconCreditCard size={22} stroke={1.6} aria-hidden />,
      name: t('payments.method_card'),
      detail: t(isTaxi && !value.inAdvance ? 'payments.card_at_end' : 'payments.card_now'),
    })
  }
  // Offered only if the wallet does not cover everything.
  if (cardAvailable && balance > 0 && (tooLow || value.mode === 'wallet_card')) {
    // The wallet pays for the trip only; the card pays the rest and outstanding amounts.
    const fromWallet = Math.min(balance, payable)
    const byCard = tooLow ? payable - fromWallet + outstanding : 0
    methods.push({
      value: 'wallet_card',
      icon: <IconWallet size={22} stroke={1.6} aria-hidden />,
      name: t('payments.method_wallet_card'),
      detail: (
        <>
          <Money amount={fromWallet} /> + <Money amount={byCard} />
        </>
      ),
    })
  }
  return (
    <div>
      <OptionCards
        legend={t('booking.pay_with')}
        options={methods}
        value={value.mode}
        onChange={(mode) => onChange({ ...value, mode })}
      />
      {isByCard && isTaxi ? (
        <SwitchField
          label={t('payments.in_advance')}
          hint={t('payments.in_advance_text')}
          checked={value.inAdvance}
          onChange={(inAdvance) => onChange({ ...value, inAdvance })}
        />
      ) : null}
    </div>
  )
}

interface FareLinesProps {
  fare: FareOffer['fare']
  /** 10^-4 of the currency unit. */
  discount: number
  payable: number
  /** Outstanding amounts collected with the trip. */
  outstanding?: number
}

/** The breakdown of a fare, including outstanding amounts; the lines add up exactly. Omits lines of zero. */
export function FareLines({ fare, discount, payable, outstanding = 0 }: FareLinesProps) {
  const { t } = useText()
  const parts = [
    ['base', fare.base],
    ['distance', fare.distance],
    ['time', fare.time],
    ['extras', fare.extras],
    ['minimum_top_up', fare.minimum_top_up],
    ['return_leg', fare.return_leg],
    ['convenience_fees', fare.convenience_fees],
    ['discount', -discount],
  ] as const
  return (
    <dl className={classes.lines}>
      {parts.map(([part, amount]) =>
        amount === 0 ? null : (
          <div key={part}>
            <dt>{t(`booking.fare_${part}`)}</dt>
            <dd>
              <Money amount={amount} />
            </dd>
          </div>
        ),
      )}
      {outstanding > 0 ? (
        <>
          <div className={classes.subtotal}>
            <dt>{t('booking.fare_trip')}</dt>
            <dd>
              <Money amount={payable} />
            </dd>
          </div>
          <div>
            <dt>{t('booking.outstanding')}</dt>
            <dd>
              <Money amount={outstanding} />
            </dd>
          </div>
        </>
      ) : null}
      <div className={classes.total}>
        <dt>{t('booking.fare_total')}</dt>
        <dd>
          <Money amount={payable + outstanding} />
        </dd>
      </div>
    </dl>
  )
}
