import type { Person } from '@hansom/domain/access/relation'
import { asc, eq } from 'drizzle-orm'
import type { Clock } from '../../platform/clock/clock.ts'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { markAsPast } from '../bookings/news.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { TrackingService } from '../bookings/tracking/service.ts'
import { usersTable } from '../users/table.ts'
import { planHistory } from './history-plan.ts'
import { liveThrough, type PastCity } from './live-through.ts'
import { demoAccounts } from './seed-people.ts'

/** The services of bookings on a clock of their own; `stop` writes what waits to be written. */
export interface BookingsOfAnotherTime {
  bookings: BookingsService
  tracking: TrackingService
  stop(): Promise<void>
}

export interface HistoryDeps {
  database: Database
  log: Log
  bookingsAt(clock: Clock): BookingsOfAnotherTime
}

/** Lives the demo's last three weeks through. A trip that the rules refuse is left out and logged. */
export async function makeHistory({ database, log, bookingsAt }: HistoryDeps, now: number): Promise<void> {
  const people = await database.db
    .select({
      id: usersTable.id,
      usertype: usersTable.usertype,
      email: usersTable.email,
      car: usersTable.car_type_id,
    })
    .from(usersTable)
    .where(eq(usersTable.demo, true))
    .orderBy(asc(usersTable.email))
  const inOrder = (usertype: 'rider' | 'driver', first: string) => {
    const all = people.filter((person) => person.usertype === usertype)
    return [...all.filter(({ email }) => email === first), ...all.filter(({ email }) => email !== first)]
  }
  const riders = inOrder('rider', demoAccounts.rider)
  const drivers = inOrder('driver', demoAccounts.driver)
  const admin = people.find(({ email }) => email === demoAccounts.admin)
  const trips = planHistory(now, { riders: riders.length, drivers: drivers.length })
  const clock = manualClock((trips[0]?.at ?? now) - 1)
  const past = bookingsAt(clock)
  const city: PastCity = {
    bookings: past.bookings,
    tracking: past.tracking,
    now: () => clock.now(),
    goTo: (moment) => clock.advance(Math.max(0, moment - clock.now())),
  }
  for (const trip of trips) {
    const rider = riders[trip.rider]
    const driver = drivers[trip.driver]
    if (rider === undefined || !driver?.car || admin === undefined) continue
    const cast = {
      rider: asPerson(rider),
      driver: asPerson(driver),
      admin: asPerson(admin),
      car_type_id: driver.car,
    }
    await liveThrough(city, trip, cast).catch((error: unknown) => {
      log.warn({ err: error, at: trip.at }, 'a trip of the past was left out')
    })
  }
  await past.stop()
  await markAsPast(database.pool)
}

const asPerson = ({ id, usertype }: Person): Person => ({ id, usertype })
