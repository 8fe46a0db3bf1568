import type { BookingView } from '@hansom/contract/bookings'
import { riderNoShow } from '@hansom/domain/bookings/booking'
import { greatCircleKm } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { hasReceipt, paidBy, receiptLines } from '@hansom/domain/receipts/receipt-lines'
import { IconPrinter, IconReceipt } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Money } from '../../../ui/money.tsx'
import { isBackOffice } from './partner-card.tsx'
import classes from './receipt.module.css'

/** The fare breakdown, the payment, and the driver's share for viewers who may see it. */
export function Receipt({ view }: { view: BookingView }) {
  const { t } = useText()
  const format = useFormat()
  const payments = paidBy(view)
  const filled = view.distance_filled ?? 0
  const unmatched = view.distance_unmatched ?? 0
  const elsewhere = endDistance(view)
  const isIssued = hasReceipt(view)
  return (
    <section className={classes.receipt} data-printed>
      <header>
        <h2>{t(isIssued ? 'trip.receipt' : 'trip.fare')}</h2>
        {!isIssued ? null : view.viewer === 'rider' || view.viewer === 'admin' ? (
          <Link
            to="/receipt/$id"
            params={{ id: view.id }}
            className={buttonClass({ size: 'small', variant: 'quiet' })}
          >
            <IconReceipt size={20} aria-hidden="true" />
            {t('trip.see_receipt')}
          </Link>
        ) : (
          <Button size="icon" variant="quiet" aria-label={t('trip.print')} onClick={() => window.print()}>
            <IconPrinter size={20} aria-hidden="true" />
          </Button>
        )}
      </header>
      <p className={classes.receiptMeta}>
        <bdi>{format.fullDateTime(view.trip_end_time ?? view.tripdate)}</bdi>
        {' · '}
        <bdi dir="ltr">{view.booking_id}</bdi>
        {view.distance === null
          ? null
          : ` · ${t('trip.distance_and_time', {
              distance: format.distance(view.distance),
              time: format.duration(view.total_trip_time ?? 0),
            })}`}
      </p>
      <dl className={classes.lines}>
        {receiptLines(view).map(({ key, amount, kind }) => (
          <div key={key} data-kind={kind}>
            <dt>{t(key)}</dt>
            <dd>
              <Money amount={amount} />
            </dd>
          </div>
        ))}
        {payments.map(({ key, amount }) => (
          <div key={key} data-kind="paid">
            <dt>{t(key)}</dt>
            <dd>
              <Money amount={amount} />
            </dd>
          </div>
        ))}
        {view.driver_share !== null && view.status !== 'CANCELLED' ? (
          <div data-kind="paid">
            <dt>{t('trip.driver_share')}</dt>
            <dd>
              <Money amount={view.driver_share} />
            </dd>
          </div>
        ) : null}
      </dl>
      {view.status === 'CANCELLED' ? (
        <p className={classes.receiptNote}>
          {t(view.reason === riderNoShow ? 'trip.fee_note_no_show' : 'trip.fee_note')}
          {view.viewer === 'rider' && !view.prepaid ? ` ${t('trip.cancel_from_wallet')}` : null}
        </p>
      ) : null}
      {elsewhere === null ? null : (
        <p className={classes.receiptNote}>{t('trip.elsewhere', { distance: format.distance(elsewhere) })}</p>
      )}
      {isBackOffice(view) && view.distance_source ? (
        <p className={classes.receiptNote}>
          {view.distance_source === 'matched' && unmatched >= shownUnmatchedKm
            ? t('trip.distance_matched_part', { distance: format.distance(unmatched) })
            : t(`trip.distance_${view.distance_source}`)}
        </p>
      ) : null}
      {filled > 0 ? (
        <p className={classes.receiptNote}>{t('trip.filled', { distance: format.distance(filled) })}</p>
      ) : null}
    </section>
  )
}

/** Less than this (km) on no street is the accuracy of the positions at the start and the end. */
const shownUnmatchedKm = 0.05

/** Within this distance (km) the trip ended as planned, for example across the street. */
const sameEndKm = 0.15

/** Distance (km) from the planned end to the real one; null before the end and if it ended as planned. */
export function endDistance(view: Pick<BookingView, 'route' | 'drop' | 'trip_end_time'>): number | null {
  const planned = decodePolyline(view.route).at(-1)
  if (view.trip_end_time === null || !planned) return null
  const km = greatCircleKm(planned, view.drop)
  return km < sameEndKm ? null : km
}
