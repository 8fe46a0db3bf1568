import { index, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { usersTable } from '../../users/table.ts'
import { bookingsTable } from '../table.ts'

/**
 * Who reaches whom by masked calls: two rows for each trip with a driver, written and deleted with its booking
 * (hold_call_lines.sql). The key guarantees that a person's call belongs to one trip only. Phone numbers are not stored: a
 * call goes from and to those that the two people have then.
 */
export const callLinesTable = pgTable(
  'call_lines',
  {
    /** The caller. */
    userId: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    /** The number of the pool that they call. */
    number: text('number').notNull(),
    bookingId: uuid('booking_id')
      .notNull()
      .references(() => bookingsTable.id, { onDelete: 'cascade' }),
    side: text('side', { enum: ['rider', 'driver'] }).notNull(),
    /** Calls so far. */
    calls: smallint('calls').notNull().default(0),
  },
  (t) => [
    primaryKey({ name: 'call_lines_pkey', columns: [t.userId, t.number] }),
    index('call_lines_booking').on(t.bookingId),
  ],
)
