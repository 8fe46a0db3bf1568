import type { PaymentMode } from '@hansom/domain/booking/booking'
import { IconCash, IconWallet } from '@tabler/icons-react'
import { useId } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { Money } from '../../ui/money.tsx'
import classes from './payment-choice.module.css'

interface Props {
  value: PaymentMode
  onChange: (mode: PaymentMode) => void
  /** What there is to pay, 10^-4 of the currency unit. */
  payable: number
}

const choices = [
  { mode: 'cash', Icon: IconCash },
  { mode: 'wallet', Icon: IconWallet },
] as const

/** How to pay. The wallet shows its balance, and says when that is too low. */
export function PaymentChoice({ value, onChange, payable }: Props) {
  const { t } = useText()
  const name = useId()
  const balance = useMe()?.walletBalance ?? 0
  return (
    <fieldset className={classes.choice}>
      <legend>{t('booking.pay_with')}</legend>
      <div className={classes.modes}>
        {choices.map(({ mode, Icon }) => {
          const tooLow = mode === 'wallet' && balance < payable
          return (
            <label key={mode} className={classes.mode} data-disabled={tooLow || undefined}>
              <input
                type="radio"
                name={name}
                checked={value === mode}
                disabled={tooLow}
                onChange={() => onChange(mode)}
              />
              <Icon size={22} stroke={1.6} aria-hidden />
              <span className={classes.words}>
                <span className={classes.name}>{t(`booking.pay_${mode}`)}</span>
                {mode === 'wallet' ? (
                  <span className={classes.detail}>
                    <Money amount={balance} />
                    {tooLow ? ` · ${t('booking.too_low')}` : null}
                  </span>
                ) : (
                  <span className={classes.detail}>{t('booking.pay_cash_text')}</span>
                )}
              </span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
