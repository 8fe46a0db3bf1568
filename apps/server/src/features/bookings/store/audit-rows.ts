import type { Booking } from '@hansom/domain/bookings/booking'
import type { RouteName } from '@hansom/domain/access/routes'
import { auditJson } from '../../../platform/audit/write-audit.ts'
import type { Application } from './application.ts'

/** Booking fields in the audit log; the booking's own history has the rest. */
const auditedFields = [
  'status',
  'customer',
  'driver',
  'carType',
  'tripdate',
  'payment_mode',
  'trip_cost',
  'cancellation_fee',
  'reason',
  'cancelledBy',
  'objection',
] as const satisfies readonly (keyof Booking)[]

const adminRoles: readonly string[] = ['admin', 'fleetadmin']

/** The audit log row, if an admin or fleet admin gave the command. */
export function auditRows({ booking, isNew, changes, effects, event }: Application): object[] {
  const { actor, id: by } = event.by
  if (by === null || !adminRoles.includes(actor)) return []
  const asked = effects.flatMap((effect) => (effect.kind === 'ask_drivers' ? effect.drivers : []))
  const assigned = event.command === 'assign_driver' && asked[0] !== undefined ? { driver: asked[0] } : {}
  const part = (record: Booking) => Object.fromEntries(auditedFields.map((field) => [field, record[field]]))
  return auditJson({
    by,
    at: event.at,
    action: `bookings.${event.command}` as RouteName,
    kind: 'booking',
    subject: booking.id,
    label: booking.booking_id,
    before: isNew ? null : part(booking),
    after: part({ ...booking, ...changes, ...assigned }),
  })
}
