import { expect, test } from 'vitest'
import { mayOpen } from '../access/screens.ts'
import { roles } from '../users/roles.ts'
import {
  alertKindOf,
  alertKinds,
  alertKindsOf,
  alertPageOf,
  alertPath,
  alertSearchOf,
  messageLimitMatter,
  pageOfAlert,
} from './alerts.ts'

test('kinds of a role: riders and drivers none, a fleet admin some, an admin all', () => {
  expect(alertKindsOf('rider')).toEqual([])
  expect(alertKindsOf('driver')).toEqual([])
  expect(alertKindsOf('fleetadmin')).toEqual(['safety', 'driver_waiting', 'objection', 'unproven_stop'])
  expect(alertKindsOf('admin')).toEqual(alertKinds)
})

test('kinds of a taxi installation: without those about deliveries', () => {
  expect(alertKindsOf('admin', 'delivery')).toEqual(alertKinds)
  expect(alertKindsOf('admin', 'taxi')).toEqual(alertKinds.filter((kind) => kind !== 'unproven_stop'))
})

test.each(alertKinds)('%s -> everyone who is alerted may open its page', (kind) => {
  const alerted = roles.filter((role) => alertKindsOf(role).includes(kind))
  expect(alerted.filter((role) => !mayOpen(alertPageOf(kind, role).screen, role))).toEqual([])
})

test('kind of a notification: named by its screen, null for others', () => {
  expect(alertKindOf({ screen: 'refund' })).toBe('refund')
  expect(alertKindOf({ screen: 'wallet' })).toBeNull()
})

const alert = (screen: string, booking: string | null = null, params: Record<string, string> = {}) => ({
  screen,
  booking,
  params,
})

test('driver or withdrawal -> the page that settles it, with the user', () => {
  expect(alertPath(alert('driver_waiting', null, { name: 'Ada', person: 'a' }), 'admin')).toBe(
    '/drivers?approval=waiting&open=a',
  )
  expect(alertPath(alert('withdrawal', null, { person: 'a' }), 'admin')).toBe('/withdraws?state=open&uid=a')
})

test('payment or refund -> its table, narrowed to the booking if it has one', () => {
  expect(alertPath(alert('payment'), 'admin')).toBe('/payments?state=mismatch%2Cfailed')
  expect(pageOfAlert(alert('payment', 'b1'), 'admin')?.search).toMatchObject({ booking: 'b1' })
  expect(alertPath(alert('refund', 'b1'), 'admin')).toBe('/disputes?state=by_hand&booking=b1')
})

test('objection -> the decision for an admin, the trip for a fleet admin', () => {
  expect(alertPath(alert('objection', 'b1'), 'admin')).toBe('/disputes')
  expect(alertPath(alert('objection', 'b1'), 'fleetadmin')).toBe('/trip/b1')
})

test('safety alarm -> the page of alarms, for every role, at its booking', () => {
  expect(alertPath(alert('safety', 'b1'), 'admin')).toBe('/safety?booking=b1')
  expect(alertPath(alert('safety', 'b1'), 'fleetadmin')).toBe('/safety?booking=b1')
})

test('limit of messages -> the section of the settings', () => {
  expect(alertPath(alert('message_limit'), 'admin')).toBe('/settings#messages')
})

test.each([
  [{ sent: 79, dropped: 0, limit: 100 }, null],
  [{ sent: 80, dropped: 0, limit: 100 }, 'near'],
  [{ sent: 100, dropped: 0, limit: 100 }, 'near'],
  [{ sent: 0, dropped: 1, limit: 100 }, 'dropped'],
  [{ sent: 90, dropped: 1, limit: 100 }, 'dropped'],
  [{ sent: 0, dropped: 0, limit: 0 }, null],
])('messages of a day: %j -> %s', (numbers, matter) => {
  expect(messageLimitMatter(numbers)).toBe(matter)
})

test('booking without a driver -> its trip; failed work -> the dashboard', () => {
  expect(alertPath(alert('no_driver', 'b1'), 'admin')).toBe('/trip/b1')
  expect(alertPath(alert('failed_work'), 'admin')).toBe('/dashboard')
})

test('another notification -> no page of its own', () => {
  expect(alertPath(alert('wallet', 'b1'), 'admin')).toBeNull()
  expect(pageOfAlert(alert('wallet', 'b1'), 'admin')).toBeNull()
})

test('page of bookings without a driver -> those of the last day; of others -> all that wait', () => {
  const now = Date.parse('2026-11-25T01:00:00Z')
  const searchOf = (kind: 'no_driver' | 'withdrawal' | 'unproven_stop') =>
    alertSearchOf(alertPageOf(kind, 'admin'), now, 'America/Montevideo')
  expect(searchOf('no_driver')).toEqual({ outcome: 'no_driver', tripdate: '2026-11-23..2026-11-24' })
  expect(searchOf('withdrawal')).toEqual({ state: 'open' })
  expect(searchOf('unproven_stop')).toEqual({ unproven: '2026-11-23..2026-11-24' })
})
