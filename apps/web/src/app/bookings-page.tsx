import { lazy, Suspense } from 'react'
import { BookingsScreen } from '../features/history/bookings-screen.tsx'
import { useMe } from '../lib/session.ts'
import classes from './bookings-page.module.css'
import { PageLoading } from './page-fallbacks.tsx'

const DriverConsole = lazy(async () => ({
  default: (await import('../features/driver/driver-console.tsx')).DriverConsole,
}))

/** A person's bookings; for a driver below the console. */
export function BookingsPage() {
  const driver = useMe()?.usertype === 'driver'
  return (
    <div className={classes.page}>
      {driver ? (
        <div className={classes.console}>
          <Suspense fallback={<PageLoading />}>
            <DriverConsole />
          </Suspense>
        </div>
      ) : null}
      <BookingsScreen />
    </div>
  )
}
