import type { BookingView } from '@hansom/contract/bookings'
import { useText } from '../../../lib/i18n.ts'
import { Money } from '../../../ui/money.tsx'
import classes from './payment.module.css'

/** The outstanding amount collected with this trip, separate from its own price. */
export function Outstanding({ view }: { view: BookingView }) {
  const { t } = useText()
  const { collect } = view
  if (view.viewer !== 'rider' || !collect || collect.outstanding <= 0) return null
  return (
    <dl className={classes.parts}>
      <div>
        <dt>{t('trip.collect_trip')}</dt>
        <dd>
          <Money amount={collect.trip} />
        </dd>
      </div>
      <div>
        <dt>{t('trip.collect_outstanding')}</dt>
        <dd>
          <Money amount={collect.outstanding} />
        </dd>
      </div>
      <div data-kind="total">
        <dt>{t('trip.collect_total')}</dt>
        <dd>
          <Money amount={collect.total} />
        </dd>
      </div>
    </dl>
  )
}
