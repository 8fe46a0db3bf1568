import type { SafetyAlarm } from '@hansom/contract/safety'
import type { Me } from '@hansom/contract/users'
import { maskContact } from '@hansom/domain/access/mask-contacts'
import type { Actor } from '@hansom/domain/access/relation'
import { viewBooking } from '@hansom/domain/access/visible-booking'
import { mayNeedContacts, untilLeft } from '@hansom/domain/safety/event'
import { fullName } from '@hansom/domain/users/full-name'
import { readContacts } from './contacts.ts'
import type { SafetyDeps } from './deps.ts'
import { readMoments, type StoredAlarm, type StoredMoment } from './read-alarms.ts'
import { pointOf } from './store.ts'

/** Alarms as the actor sees them. Their fleet admin keeps those of a driver who was taken off the trip, as they were then. */
export function createAlarmView({ database, bookings, users, settings: current }: SafetyDeps) {
  return async (actor: Actor, alarms: readonly StoredAlarm[]): Promise<SafetyAlarm[]> => {
    const [moments, records, settings] = await Promise.all([
      readMoments(
        database.pool,
        alarms.map(({ id }) => id),
      ),
      bookings.readMany(alarms.map(({ booking_id }) => booking_id)),
      current.current(),
    ])
    // Of open alarms only, for admins: both people must be reachable, also when the booking has ended.
    const open = actor.role === 'admin' ? alarms.filter(({ state }) => state === 'alarm') : []
    const ids = open.flatMap(({ booking_id, driver }) => [
      driver,
      records.get(booking_id)?.booking.customer ?? driver,
    ])
    const driverIds = alarms.map(({ driver }) => driver)
    const [people, contacts, drivers, fleet, leavings] = await Promise.all([
      users.meOfMany(ids),
      readContacts(database.db, ids),
      users.names(driverIds),
      actor.role === 'admin' ? null : users.driversOf(actor.id, driverIds),
      actor.role === 'admin' ? [] : bookings.leavings([...records.keys()]),
    ])
    return alarms.flatMap((alarm) => {
      const record = records.get(alarm.booking_id)
      if (!record) return []
      const { booking } = record
      const seen = viewBooking(record, actor, settings)
      if (seen === null && alarm.fleetadmin !== actor.id) return []
      const left = leavings.find((one) => one.booking === alarm.booking_id && one.driver === alarm.driver)
      const seenUntil = seen === null ? (left?.at ?? alarm.opened_at) : Number.POSITIVE_INFINITY
      const stored = moments.filter(({ event_id }) => event_id === alarm.id)
      const own = seen === null ? untilLeft(stored, { driver: alarm.driver, at: seenUntil }) : stored
      const of = (id: string | null) => {
        const isOpen = id !== null && open.includes(alarm)
        const person = isOpen ? personOf(people.get(id), settings) : null
        const isConcerned = isOpen && mayNeedContacts(own, id)
        return { ...person, contacts: isConcerned ? contactsOf(contacts, id, settings) : [] }
      }
      const { acknowledged_at: takenAt } = alarm
      const rider = of(booking.customer)
      const driver = of(alarm.driver)
      // The booking may have another driver by now.
      const isDriver = seen !== null && booking.driver === alarm.driver
      return {
        id: alarm.id,
        kind: alarm.kind,
        state: alarm.state,
        closing: alarm.closing,
        at: alarm.alarm_at ?? alarm.opened_at,
        booking: alarm.booking_id,
        booking_id: booking.booking_id,
        booking_seen: seen !== null,
        status: seen && booking.status,
        pickup: seen && booking.pickup.add,
        drop: seen && booking.drop.add,
        rider: {
          id: seen?.customer ?? null,
          name: seen ? booking.customer_name : '',
          phone: seen?.customer_contact ?? rider.phone ?? null,
          contacts: rider.contacts,
        },
        raised_by: alarm.raised_by === null ? null : alarm.raised_by === alarm.driver ? 'driver' : 'rider',
        driver: {
          // Not all drivers of an alarm have a record that a fleet admin sees: they may have left the fleet.
          id: fleet === null || fleet.has(alarm.driver) ? alarm.driver : null,
          name: (isDriver && seen.driver_name) || drivers.get(alarm.driver) || '',
          phone: (isDriver ? seen.driver_contact : null) ?? driver.phone ?? null,
          plate: (isDriver ? seen.vehicle_number : null) ?? driver.plate ?? null,
          contacts: driver.contacts,
        },
        point: placeUntil(alarm, own, seenUntil),
        acknowledged: takenAt === null ? null : { at: takenAt, name: alarm.acknowledged_name },
        timeline: own.map(({ at, what, name, note, lat, lng }) => ({
          at,
          what,
          name,
          note,
          point: lat === null || lng === null ? null : { lat, lng },
        })),
      } satisfies SafetyAlarm
    })
  }
}

/** Where the alarm was last, up to a time. */
function placeUntil(alarm: StoredAlarm, moments: readonly StoredMoment[], until: number) {
  const point = pointOf(alarm)
  if (point === null || point.at <= until) return point
  const last = moments.findLast(({ lat }) => lat !== null)
  return last?.lat == null || last.lng === null ? null : { lat: last.lat, lng: last.lng, at: last.at }
}

type Hiding = { AllowCriticalEditsAdmin: boolean }

function personOf(user: Me | undefined, { AllowCriticalEditsAdmin }: Hiding) {
  if (!user) return null
  return {
    name: fullName(user),
    phone: user.mobile && maskContact(user.mobile, user.usertype, !AllowCriticalEditsAdmin),
    plate: user.vehicle_number ?? null,
  }
}

function contactsOf(
  contacts: Awaited<ReturnType<typeof readContacts>>,
  id: string,
  { AllowCriticalEditsAdmin }: Hiding,
) {
  const hidden = (address: string | null) =>
    address && maskContact(address, 'rider', !AllowCriticalEditsAdmin)
  return contacts
    .filter(({ user_id }) => user_id === id)
    .map(({ name, mobile, email }) => ({ name, mobile: hidden(mobile), email: hidden(email) }))
}
