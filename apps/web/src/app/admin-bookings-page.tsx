import { RefundDialog } from '../entities/refunds/refund-dialog.tsx'
import { AdminBookings } from '../features/bookings/list/admin-bookings.tsx'
import { AssignDriverDialog } from '../features/bookings/trip/assign-driver.tsx'
import { CancelDialog } from '../features/bookings/trip/cancel-trip.tsx'
import { EditBookingDialog, editableFields } from '../features/bookings/trip/edit-booking.tsx'

/** The admins' table of bookings; row actions open the dialogs of the trip page. */
export function AdminBookingsPage() {
  return (
    <AdminBookings
      dialog={(command, booking, onClose) => {
        if (command === 'cancel') return <CancelDialog view={booking} onClose={onClose} />
        if (command === 'assign_driver') return <AssignDriverDialog view={booking} onClose={onClose} />
        if (command === 'change') {
          return <EditBookingDialog view={booking} fields={editableFields(booking)} onClose={onClose} />
        }
        return <RefundDialog of={{ booking: booking.id }} code={booking.booking_id} onClose={onClose} />
      }}
    />
  )
}
