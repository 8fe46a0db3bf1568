import { index, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bookingsTable } from '../table.ts'

/**
 * Who reaches whom by masked calls: two rows for each trip with a driver, written and deleted with its booking
 * (hold_call_lines.sql). The key guarantees that a call belongs to one trip only.
 */
export const callLinesTable = pgTable(
  'call_lines',
  {
    /** The caller's number. */
    phone: text('phone').notNull(),
    /** The number of the pool that they call. */
    number: text('number').notNull(),
    bookingId: uuid('booking_id')
      .notNull()
      .references(() => bookingsTable.id, { onDelete: 'cascade' }),
    /** The number that is connected. */
    other: text('other').notNull(),
    side: text('side', { enum: ['rider', 'driver'] }).notNull(),
    /** Calls so far. */
    calls: smallint('calls').notNull().default(0),
  },
  (t) => [
    primaryKey({ name: 'call_lines_pkey', columns: [t.phone, t.number] }),
    index('call_lines_booking').on(t.bookingId),
  ],
)
