import { expect, test } from 'vitest'
import { mayOpen } from '../access/screens.ts'
import { roles } from '../users/roles.ts'
import { alertKindOf, alertKinds, alertKindsOf, alertPath, alerts } from './alerts.ts'

test('kinds of a role: riders and drivers none, a fleet admin some, an admin all', () => {
  expect(alertKindsOf('rider')).toEqual([])
  expect(alertKindsOf('driver')).toEqual([])
  expect(alertKindsOf('fleetadmin')).toEqual(['driver_waiting', 'objection'])
  expect(alertKindsOf('admin')).toEqual(alertKinds)
})

test.each(alertKinds)('%s -> everyone who is alerted may open its page', (kind) => {
  const alerted = roles.filter((role) => alertKindsOf(role).includes(kind))
  expect(alerted.filter((role) => !mayOpen(alerts[kind].screen, role))).toEqual([])
})

test('kind of a notification: named by its screen, null for others', () => {
  expect(alertKindOf({ screen: 'refund' })).toBe('refund')
  expect(alertKindOf({ screen: 'wallet' })).toBeNull()
})

test('path of an alert: its trip, or the page with the filters of the kind', () => {
  expect(alertPath({ screen: 'no_driver', booking: 'b1' })).toBe('/trip/b1')
  expect(alertPath({ screen: 'payment', booking: null })).toBe('/payments?state=mismatch%2Cfailed')
  expect(alertPath({ screen: 'failed_work', booking: null })).toBe('/dashboard')
  expect(alertPath({ screen: 'wallet', booking: 'b1' })).toBeNull()
})
