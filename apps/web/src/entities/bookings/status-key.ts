import type { ListedBooking } from '@hansom/contract/bookings'
import { isUpcoming } from '@hansom/domain/bookings/status'
import type { TextKey } from '@hansom/domain/languages/text-key'

/** Text key of a booking's status at `now` (epoch ms on the server's clock); an upcoming one searches for no driver yet. */
export function statusKey(booking: Pick<ListedBooking, 'status' | 'drivers_asked_at'>, now: number): TextKey {
  return isUpcoming(booking, now) ? 'history.status_planned' : `history.status_${booking.status}`
}
