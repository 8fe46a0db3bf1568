import type { FareOffer } from '@hansom/contract/bookings'
import { useText } from '../../../lib/i18n.ts'
import { Money } from '../../../ui/money.tsx'
import classes from './fare-lines.module.css'

interface Props {
  fare: FareOffer['fare']
  /** 10^-4 of the currency unit. */
  discount: number
  payable: number
  /** Outstanding amounts collected with the trip. */
  outstanding?: number
}

/** The breakdown of a fare, including outstanding amounts; the lines add up exactly. Omits lines of zero. */
export function FareLines({ fare, discount, payable, outstanding = 0 }: Props) {
  const { t } = useText()
  const parts = [
    ['base', fare.base],
    ['distance', fare.distance],
    ['time', fare.time],
    ['extras', fare.extras],
    ['minimum_top_up', fare.minimum_top_up],
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
