import type { BookingView } from '@hansom/contract/bookings'
import { agreedPickupAt } from '@hansom/domain/bookings/status'
import { useServerNow } from '../../lib/clock.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'

/** Until so long before the pickup, its date is shown too, ms. */
const soonMs = 12 * 3_600_000

/** The time agreed for the pickup of a Book Later trip, until it has passed. */
export function PickupTime({ view, className }: { view: BookingView; className: string | undefined }) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow()
  const at = agreedPickupAt(view, now)
  if (at === null) return null
  const time = at - now < soonMs ? format.clock(at) : format.dateTime(at)
  return <p className={className}>{t('trip.pickup_planned', { time: isolated(time) })}</p>
}
