import { randomInt } from 'node:crypto'
import type { Actor } from '@hansom/domain/access/relation'
import type { EventChange } from '@hansom/domain/bookings/decision'
import { stopCode } from '@hansom/domain/bookings/new-booking'
import { isOneOf } from '@hansom/domain/bookings/status'
import { correctRecipient as correct, type Recipient } from '@hansom/domain/deliveries/correct-recipient'
import type { InformProblem } from '@hansom/domain/deliveries/delivery'
import { Refusal } from '@hansom/domain/error-keys'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { countBeside, lockBooking, publishBeside } from '../bookings/service.ts'
import type { SettingsService } from '../settings/service.ts'
import { parsePhone } from '../users/phone-number.ts'
import { deliveryStopsTable } from './table.ts'

interface RecipientsDeps {
  database: Pick<Database, 'withTransaction'>
  clock: Pick<Clock, 'now'>
  outbox: Outbox
}

const { booking_id, n, outcome, sender_instructions } = deliveryStopsTable
const rowOf = (booking: string, stop: number) => and(eq(booking_id, booking), eq(n, stop))

/** How often a recipient may change the instructions of a stop: each change is a row of the history. */
export const maxInstructionChanges = 20

/**
 * Changes the recipient's instructions of an open stop and publishes the booking, unless the text is the same. Throws
 * too_late once it is closed, too_many_changes beyond `maxInstructionChanges`.
 */
export async function changeInstructions(
  { database, clock, outbox }: RecipientsDeps,
  booking: string,
  stop: number,
  instructions: string,
): Promise<void> {
  await database.withTransaction(async (tx) => {
    const at = clock.now()
    const record = await lockBooking(tx, booking, at)
    if (!record || !isOneOf(['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'], record.booking.status)) {
      throw new Refusal('too_late')
    }
    const stored = record.delivery?.stops.find((one) => one.n === stop)
    if (stored?.outcome === null && stored.instructions === (instructions || null)) return
    const change: EventChange = { field: 'instructions', from: null, to: stop }
    const before = await countBeside(tx, booking, 'add_instructions', change)
    if (before >= maxInstructionChanges) throw new Refusal('too_many_changes')
    const changed = await tx.db
      .update(deliveryStopsTable)
      .set({
        instructions: instructions || null,
        sender_instructions: sql`coalesce(${sender_instructions}, ${deliveryStopsTable.instructions}, '')`,
      })
      .where(and(rowOf(booking, stop), isNull(outcome)))
      .returning({ n })
    if (changed.length === 0) throw new Refusal('too_late')
    await publishBeside({ outbox }, tx, booking, {
      at,
      by: { role: 'recipient', id: null },
      command: 'add_instructions',
      changes: [change],
    })
  })
}

/**
 * Corrects the recipient of an open stop and publishes the booking; an admin's correction is audited. Returns true if they have another phone number or email
 * address. Throws too_late unless it is an open drop.
 */
export async function correctRecipient(
  {
    clock,
    outbox,
    settings,
  }: Omit<RecipientsDeps, 'database'> & { settings: Pick<SettingsService, 'current'> },
  tx: Transaction,
  { id, role }: Actor,
  { booking, stop: number, recipient }: { booking: string; stop: number; recipient: Recipient },
): Promise<boolean> {
  const at = clock.now()
  const record = await lockBooking(tx, booking, at)
  const stop = record?.delivery?.stops.find((one) => one.n === number && one.kind === 'drop')
  if (!record) throw new Refusal('not_found')
  if (!stop) throw new Refusal('too_late')
  const { country } = await settings.current()
  const corrected = correct(record.booking.status, stop, recipient, {
    drawCode: () => stopCode(randomInt(2 ** 32) / 2 ** 32),
    phoneOf: (text) => parsePhone(text, country) ?? text,
  })
  if (corrected instanceof Refusal) throw corrected
  await tx.db
    .update(deliveryStopsTable)
    .set({ ...corrected.fields, ...(corrected.isOther && { not_informed: null }) })
    .where(rowOf(booking, number))
  await publishBeside({ outbox }, tx, booking, {
    at,
    by: { role, id },
    command: 'correct_recipient',
    changes: [{ field: 'recipient', from: null, to: number }],
  })
  if (role === 'admin') {
    await writeAudit(tx, {
      by: id,
      at,
      action: 'tripLinks.correct',
      kind: 'booking',
      subject: booking,
      label: record.booking.booking_id,
      person: record.booking.customer,
      before: null,
      after: null,
    })
  }
  return corrected.isOther
}

/** Shows the sender that a message did not reach a recipient. */
export async function noteNotInformed(
  { database, clock, outbox }: RecipientsDeps,
  booking: string,
  stop: number,
  problem: InformProblem,
): Promise<void> {
  await database.withTransaction(async (tx) => {
    const at = clock.now()
    if (!(await lockBooking(tx, booking, at))) return
    const changed = await tx.db
      .update(deliveryStopsTable)
      .set({ not_informed: problem })
      .where(and(rowOf(booking, stop), sql`${deliveryStopsTable.not_informed} is distinct from ${problem}`))
      .returning({ n })
    if (changed.length === 0) return
    await publishBeside({ outbox }, tx, booking, {
      at,
      by: { role: 'system', id: null },
      command: 'inform_failed',
      changes: [{ field: 'message', from: null, to: stop }],
    })
  })
}
