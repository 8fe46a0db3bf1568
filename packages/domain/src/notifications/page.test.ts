import { expect, test } from 'vitest'
import { mayOpen } from '../access/screens.ts'
import { alertKinds } from '../alerts/alerts.ts'
import { type Role, roles } from '../users/roles.ts'
import { kindOfNotice } from './kinds.ts'
import { pageOfNotification, pathOfPage } from './page.ts'

const pathOf = (screen: string, role: Role, booking: string | null = 'b1', notice = 'accepted') =>
  pathOfPage(pageOfNotification({ title: `notify.${notice}.title`, screen, booking, params: {} }, role))

test.each([
  // [screen, booking, rider, driver, fleetadmin, admin]
  ['BookingCab', 'b1', '/trip/b1', '/trip/b1', '/trip/b1', '/trip/b1'],
  ['BookingCab', null, '/', '/bookings', '/dashboard', '/dashboard'],
  ['BookedCab', 'b1', '/trip/b1', '/trip/b1', '/trip/b1', '/trip/b1'],
  ['BookedCab', null, '/bookings', '/bookings', '/bookings', '/bookings'],
  [
    'onlineChat',
    'b1',
    '/trip/b1?chat=open',
    '/trip/b1?chat=open',
    '/trip/b1?chat=open',
    '/trip/b1?chat=open',
  ],
  ['onlineChat', null, '/bookings', '/bookings', '/bookings', '/bookings'],
  ['wallet', 'b1', '/wallet', '/wallet', '/trip/b1', '/trip/b1'],
  ['wallet', null, '/wallet', '/wallet', '/dashboard', '/dashboard'],
  ['DriverTrips', 'b1', '/trip/b1', '/bookings', '/trip/b1', '/trip/b1'],
  ['DriverTrips', null, '/', '/bookings', '/dashboard', '/dashboard'],
  ['withdraws', null, '/', '/bookings', '/dashboard', '/withdraws'],
  ['profile', null, '/profile', '/profile', '/profile', '/profile'],
  ['unknown', null, '/', '/bookings', '/dashboard', '/dashboard'],
] as const)(
  '%s, booking %s -> rider %s, driver %s, fleet admin %s, admin %s',
  (screen, booking, ...paths) => {
    const byRole = (['rider', 'driver', 'fleetadmin', 'admin'] as const).map((role) =>
      pathOf(screen, role, booking),
    )
    expect(byRole).toEqual(paths)
  },
)

test('DriverTrips: a request or the current trip -> the console; an ended trip -> its page', () => {
  for (const notice of ['new_booking', 'next_trip', 'trip_changed', 'trip_withdrawn']) {
    expect(pathOf('DriverTrips', 'driver', 'b1', notice)).toBe('/bookings')
  }
  for (const notice of ['rated', 'booking_cancelled', 'objection_decided']) {
    expect(pathOf('DriverTrips', 'driver', 'b1', notice)).toBe('/trip/b1')
  }
})

test('every screen and notice, every role -> a page that the role may open', () => {
  const screens = [
    'BookingCab',
    'BookedCab',
    'onlineChat',
    'wallet',
    'DriverTrips',
    'withdraws',
    'profile',
    '',
  ]
  for (const role of roles) {
    for (const screen of [...screens, ...alertKinds]) {
      for (const booking of ['b1', null]) {
        for (const notice of Object.keys(kindOfNotice)) {
          const path = pathOf(screen, role, booking, notice)
          const [open = ''] = path.split('?')
          expect([role, screen, notice, mayOpen(open, role)]).toEqual([role, screen, notice, true])
        }
      }
    }
  }
})

test('alert -> its page with filters', () => {
  const alert = {
    title: 'alert.withdrawal.title',
    screen: 'withdrawal',
    booking: null,
    params: { person: 'a' },
  }
  expect(pathOfPage(pageOfNotification(alert, 'admin'))).toBe('/withdraws?state=open&uid=a')
  expect(pathOfPage(pageOfNotification(alert, 'rider'))).toBe('/')
})
