import { OfficeBookings } from '../features/history/office-bookings.tsx'
import { AssignDriverDialog } from '../features/trip/assign-driver.tsx'
import { CancelDialog } from '../features/trip/cancel-trip.tsx'

/** The office's table of bookings, with the dialogs of the trip's page for what is done from a row. */
export function OfficeBookingsPage() {
  return (
    <OfficeBookings
      dialog={(command, booking, onClose) =>
        command === 'cancel' ? (
          <CancelDialog view={booking} onClose={onClose} />
        ) : (
          <AssignDriverDialog view={booking} onClose={onClose} />
        )
      }
    />
  )
}
