import type { BookingView } from '@hansom/contract/bookings'
import { isRefundable } from '@hansom/domain/wallet/refund'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { orpc } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { Money } from '../../../ui/money.tsx'
import classes from './receipt.module.css'
import type { TripDialogs } from './trip-dialogs.ts'

/** The refunds of a trip, for admins; loaded once there is something to refund. */
export function useTripRefunds(view: BookingView) {
  const { id, viewer } = view
  const isAsked = viewer === 'admin' && isRefundable(view)
  const { data } = useQuery({ ...orpc.refunds.ofBooking.queryOptions({ input: { id } }), enabled: isAsked })
  return (isAsked && data?.refunds) || []
}

/** What was refunded of a trip: for admins with author, bearer and reason, for riders as on their receipt. */
export function TripRefunds({ view, lines }: { view: BookingView; lines: TripDialogs['refundLines'] }) {
  const { t } = useText()
  const headingId = useId()
  const refunds = useTripRefunds(view)
  const isRider = view.viewer === 'rider' && isRefundable(view)
  const receipt = useQuery({
    ...orpc.receipts.show.queryOptions({ input: { id: view.id } }),
    enabled: isRider,
  })
  const own = (isRider && receipt.data?.refunds) || []
  if (refunds.length + own.length === 0) return null
  return (
    <section className={classes.receipt} aria-labelledby={headingId}>
      <h2 id={headingId}>{t('trip.refunds')}</h2>
      {refunds.length > 0 ? lines(refunds) : null}
      {own.length > 0 ? (
        <dl className={classes.lines}>
          {own.map(({ id, amount, reason, state }) => (
            <div key={id}>
              <dt>
                {state === 'confirmed' ? t('trip.refunded') : t('trip.refund_on_way')} · <bdi>{reason}</bdi>
              </dt>
              <dd>
                <Money amount={amount} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </section>
  )
}
