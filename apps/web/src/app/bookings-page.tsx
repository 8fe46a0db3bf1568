import { lazy, Suspense } from 'react'
import { BookingsScreen } from '../features/bookings/list/bookings-screen.tsx'
import { useMe } from '../lib/session.ts'
import classes from './bookings-page.module.css'
import { PageLoading } from './page-fallbacks.tsx'
import { AdminBookingsPage, DriverConsole } from './role-parts.ts'

const PaymentDialog = lazy(() => import('../features/payments/payment-dialog.tsx'))
const CancelDialog = lazy(async () => ({
  default: (await import('../features/bookings/trip/cancel-trip.tsx')).CancelDialog,
}))

/** The user's bookings, below the console for a driver; admins get the bookings table instead. */
export function BookingsPage() {
  const role = useMe()?.usertype
  if (role === 'admin' || role === 'fleetadmin') {
    return (
      <Suspense fallback={<PageLoading />}>
        <AdminBookingsPage />
      </Suspense>
    )
  }
  return (
    <div className={classes.page}>
      {role === 'driver' ? (
        <div className={classes.console}>
          <Suspense fallback={<PageLoading />}>
            <DriverConsole />
          </Suspense>
        </div>
      ) : null}
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
    </div>
  )
}
