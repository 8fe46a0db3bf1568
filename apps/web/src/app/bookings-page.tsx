import { Suspense } from 'react'
import { BookingsScreen } from '../features/bookings/list/bookings-screen.tsx'
import { useMe } from '../lib/session.ts'
import classes from './bookings-page.module.css'
import { chatPanel } from './chat-panel.tsx'
import { PageLoading } from './page-fallbacks.tsx'
import { AdminBookingsPage, DriverConsole, RiderBookings } from './role-parts.ts'

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
      <Suspense fallback={<PageLoading />}>
        {role === 'driver' ? (
          <div className={classes.console}>
            <DriverConsole chat={chatPanel} />
          </div>
        ) : (
          <RiderBookings />
        )}
      </Suspense>
      {role === 'driver' ? <BookingsScreen /> : null}
    </div>
  )
}
