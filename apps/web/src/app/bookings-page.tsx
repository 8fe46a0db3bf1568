import { lazy, Suspense } from 'react'
import { BookingsScreen } from '../features/history/bookings-screen.tsx'
import { useMe } from '../lib/session.ts'
import classes from './bookings-page.module.css'
import { PageLoading } from './page-fallbacks.tsx'
import { DriverConsole, OfficeBookingsPage } from './role-parts.ts'

const PaymentDialog = lazy(() => import('../features/payments/payment-dialog.tsx'))

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
