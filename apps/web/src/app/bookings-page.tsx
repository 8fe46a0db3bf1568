import { lazy, Suspense } from 'react'
import { BookingsScreen } from '../features/history/bookings-screen.tsx'
import { useMe } from '../lib/session.ts'
import classes from './bookings-page.module.css'
import { PageLoading } from './page-fallbacks.tsx'

const DriverConsole = lazy(async () => ({
  default: (await import('../features/driver/driver-console.tsx')).DriverConsole,
}))
const PaymentDialog = lazy(() => import('../features/payments/payment-dialog.tsx'))
const OfficeBookingsPage = lazy(async () => ({
  default: (await import('./office-bookings-page.tsx')).OfficeBookingsPage,
}))

/** A person's bookings; for a driver below the console. The office has a table of them. */
export function BookingsPage() {
  const role = useMe()?.usertype
  if (role === 'admin' || role === 'fleetadmin') {
    return (
      <Suspense fallback={<PageLoading />}>
        <OfficeBookingsPage />
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
        payment={(view, onClose) => (
          <Suspense fallback={null}>
            <PaymentDialog view={view} onClose={onClose} />
          </Suspense>
        )}
      />
    </div>
  )
}
