import { lazy, Suspense } from 'react'
import { BookingsScreen } from '../features/bookings/list/bookings-screen.tsx'

const PaymentDialog = lazy(() => import('../features/payments/payment-dialog.tsx'))
const CancelDialog = lazy(async () => ({
  default: (await import('../features/bookings/trip/cancel-trip.tsx')).CancelDialog,
}))

/** A rider's bookings, with the dialogs that a driver's page does not load. */
export function RiderBookings() {
  return (
    <BookingsScreen
      dialogs={{
        pay: (view, onClose) => (
          <Suspense fallback={null}>
            <PaymentDialog view={view} onClose={onClose} />
          </Suspense>
        ),
        cancel: (view, onClose) => (
          <Suspense fallback={null}>
            <CancelDialog view={view} onClose={onClose} />
          </Suspense>
        ),
      }}
    />
  )
}
