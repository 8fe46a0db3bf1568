import { OfficeBookings } from '../features/bookings/list/office-bookings.tsx'
import { RefundDialog } from '../entities/refunds/refund-dialog.tsx'
import { AssignDriverDialog } from '../features/bookings/trip/assign-driver.tsx'
import { CancelDialog } from '../features/bookings/trip/cancel-trip.tsx'

/** The office's table of bookings, with the dialogs of the trip's page for what is done from a row. */
export function OfficeBookingsPage() {
  return (
    <OfficeBookings
      dialog={(command, booking, onClose) => {
        if (command === 'cancel') return <CancelDialog view={booking} onClose={onClose} />
        if (command === 'assign_driver') return <AssignDriverDialog view={booking} onClose={onClose} />
        return <RefundDialog of={{ booking: booking.id }} code={booking.booking_id} onClose={onClose} />
      }}
    />
  )
}
