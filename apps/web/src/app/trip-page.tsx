import { lazy, Suspense } from 'react'
import { TripScreen } from '../features/trip/trip-screen.tsx'

const PaymentDialog = lazy(() => import('../features/payments/payment-dialog.tsx'))

/** The live trip, with the dialog in which it is paid. */
export function TripPage() {
  return (
    <TripScreen
      payment={(view, onClose) => (
        <Suspense fallback={null}>
          <PaymentDialog view={view} onClose={onClose} />
        </Suspense>
      )}
    />
  )
}
