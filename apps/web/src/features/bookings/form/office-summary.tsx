import { fromCityTime } from '@hansom/domain/time/city-time'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import type { BookingRequest } from './booking-key.ts'
import classes from './confirm-dialog.module.css'
import { callerText, type OfficeBooking } from './office-booking.ts'

/** The caller, the payment, and what the request books in addition. */
export function OfficeSummary({ office }: { office: OfficeBooking }) {
  const { t } = useText()
  const format = useFormat()
  const { timezone, category } = useSettings()
  const { payment_mode, cash_at, passengers, cars, returnAt, note } = office.options
  const atStop = t(cash_at === 'pickup' ? 'parcelForm.cash_pickup' : 'parcelForm.cash_drop')
  const lines = [
    [t('booking.rider'), callerText(office)],
    [
      t('booking.pay_with'),
      category === 'delivery' && payment_mode === 'cash' ? atStop : t(`history.pay_${payment_mode}`),
    ],
    [t('bookingTexts.passengers'), passengers === null ? null : format.number(passengers)],
    [t('booking.cars'), cars === 1 ? null : format.number(cars)],
    [t('booking.return_trip'), returnAt ? format.dateTime(fromCityTime(returnAt, timezone)) : null],
    [t('bookingTexts.note'), note],
  ] as const
  return (
    <dl className={classes.lines}>
      {lines.map(([label, value]) =>
        value ? (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

/** What a request by the office has in addition. */
export function officeRequest({ rider, options }: OfficeBooking, timezone: string): Partial<BookingRequest> {
  const { passengers, cars, returnAt, note } = options
  return {
    ...rider,
    ...(passengers === null ? {} : { passengers }),
    ...(cars === 1 ? {} : { cars }),
    ...(returnAt ? { returnAt: fromCityTime(returnAt, timezone) } : {}),
    ...(note.trim() ? { note } : {}),
  }
}
