import type { BookingStatus } from '@hansom/domain/bookings/status'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { takenOverEvent } from './booking-changed-event.ts'

/** Makes a guest's bookings those of a user. Their new versions make concurrent commands read the new rider. */
export async function takeOverBookings(
  { outbox }: { outbox: Pick<Outbox, 'write'> },
  tx: Transaction,
  { guest, user, email }: { guest: string; user: string; email: string },
  at: number,
): Promise<void> {
  const { rows } = await tx.client.query<{ id: string; version: number; status: BookingStatus }>(
    `update bookings set customer = $2, customer_email = $3, version = version + 1 where customer = $1
      returning id, version, status`,
    [guest, user, email],
  )
  await outbox.write(
    tx,
    rows.map((row) => takenOverEvent(row, user, at)),
  )
}
