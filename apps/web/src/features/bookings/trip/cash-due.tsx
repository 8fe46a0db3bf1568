import type { BookingView } from '@hansom/contract/bookings'
import { useText } from '../../../lib/i18n.ts'
import { Money } from '../../../ui/money.tsx'
import { Outstanding } from './outstanding.tsx'
import classes from './payment.module.css'

/** At the end of a cash trip: what the rider gives the driver, with what is outstanding from before. */
export function CashDue({ view }: { view: BookingView }) {
  const { t } = useText()
  const { viewer, status, payment_mode, prepaid, collect } = view
  if (viewer !== 'rider' || status !== 'REACHED' || payment_mode !== 'cash' || prepaid) return null
  if (!collect || collect.total <= 0) return null
  return (
    <section className={classes.due} aria-label={t('trip.due_cash')}>
      <p className={classes.dueAmount}>
        <span>{t('trip.due_cash')}</span>
        <Money amount={collect.total} />
      </p>
      <Outstanding view={view} />
    </section>
  )
}
