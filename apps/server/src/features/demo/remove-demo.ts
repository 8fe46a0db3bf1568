import { count, eq, inArray, sql } from 'drizzle-orm'
import { bookingFolder, chatsFolder, userFolder } from '../../adapters/storage/port.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { deleteAllJobs } from '../../platform/jobs/job-table.ts'
import { cancelReasonsTable } from '../cancel-reasons/table.ts'
import { carTypesTable } from '../car-types/table.ts'
import { promosTable } from '../promos/table.ts'
import { settingsTable } from '../settings/table.ts'
import { usersTable } from '../users/table.ts'
import { demoCarTypes } from './car-types.ts'
import { demoCancelReasons, demoDeliverySettings, demoPromos, demoSettings } from './city-data.ts'
import { demoPrices } from './prices.ts'

/** Users who were not created by the demo. */
export interface OtherUsers {
  people: number
  /** Some of them, such as "admin ana@home.example". */
  some: string[]
  /** Their bookings. */
  bookings: number
}

/** The outcome; 'others': nothing was removed because these users would have been lost. */
export type Removal =
  | { kind: 'none' }
  | { kind: 'removed'; people: number }
  | { kind: 'others'; others: OtherUsers }

const shownUsers = 10

/** Cancel reasons of older demos, which had their own list. */
const formerReasons = [
  'I am waiting too long',
  'My plans have changed',
  'The pickup is wrong',
  'I found another way',
]

/** Counts the demo's users, whose passwords are public. */
export async function countDemoUsers(queries: Queries): Promise<number> {
  const [row] = await queries.select({ people: count() }).from(usersTable).where(eq(usersTable.demo, true))
  return row?.people ?? 0
}

/**
 * Removes the demo in one transaction: its users with all their data, bookings, money and the history of both, pending
 * events and jobs, and the settings, car types, promos and cancel reasons it came with. Additions and changes to the
 * settings and those lists stay, and so do languages. When other users exist, nothing is removed unless `withOthers` is
 * set: bookings and the ledger involve all users and cannot be separated. `removeFolder` gets the folder of each user's,
 * booking's and conversation's files, before the commit: if it throws, the demo stays.
 */
export function removeDemo(
  database: Database,
  { withOthers, removeFolder }: { withOthers: boolean; removeFolder: (folder: string) => Promise<void> },
): Promise<Removal> {
  return database.withTransaction(async (tx): Promise<Removal> => {
    await tx.client.query(`set local lock_timeout = '5s'`)
    // No one can sign up between the check and the removal.
    await tx.client.query('lock table users in access exclusive mode')
    const people = await countDemoUsers(tx.db)
    if (people === 0) return { kind: 'none' }
    const others = await othersThanDemo(tx)
    if (others.people > 0 && !withOthers) return { kind: 'others', others }
    for (const folder of await foldersOf(tx)) await removeFolder(folder)
    await emptyTables(tx)
    await removeCatalogue(tx)
    return { kind: 'removed', people: people + others.people }
  })
}

/** The folders that users and bookings may have files in. */
async function foldersOf({ client }: Transaction): Promise<string[]> {
  const { rows: users } = await client.query<{ id: string }>('select id from users')
  const { rows: bookings } = await client.query<{ id: string }>('select id from bookings')
  return [
    ...users.map(({ id }) => userFolder(id)),
    ...bookings.flatMap(({ id }) => [bookingFolder(id), chatsFolder(id)]),
  ]
}

async function othersThanDemo(tx: Transaction): Promise<OtherUsers> {
  const found = await tx.client.query<OtherUsers>(
    `select count(*)::int as people,
       (select coalesce(array_agg(usertype || ' ' || email order by created_at), '{}') from
         (select usertype, email, created_at from users where not demo order by created_at limit $1) shown) as "some",
       (select count(*)::int from bookings b join users c on c.id = b.customer where not c.demo) as bookings
     from users where not demo`,
    [shownUsers],
  )
  return found.rows[0] ?? { people: 0, some: [], bookings: 0 }
}

/**
 * Empties all tables about users, including those that reference the named ones. The append-only triggers of ledger and
 * audit log are off meanwhile.
 */
async function emptyTables({ client }: Transaction): Promise<void> {
  const appendOnly = ['ledger_entries', 'ledger_legs', 'audit_log']
  for (const table of appendOnly) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`truncate users, bookings, ledger_entries, ledger_sums, ledger_checks, audit_log, idempotency_keys, outbox,
    parked_events, outbox_messages, test_payments, payment_messages, payment_message_keys, push_notifications, tracking,
    booking_events, user_notifications, notification_keys, auth_verifications, auth_attempts, auth_uploads, setup,
    cancel_reasons_order, receipt_counters, recipient_message_counts, message_counts, sent_messages, dispatch_decisions cascade`)
  for (const table of appendOnly) await client.query(`alter table ${table} enable trigger user`)
  await deleteAllJobs(client)
}

/** Settings that the next first start stores again, from its category and its map; the demo's bonus is in its currency. */
const fromFirstStart = new Set([
  'category',
  'bonus',
  'code',
  'symbol',
  'swipe_symbol',
  'decimal',
  'country',
  'restrictCountry',
  'timezone',
  'convert_to_mile',
])

async function removeCatalogue({ db }: Transaction): Promise<void> {
  const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)
  const prices = demoPrices('UYU')
  const carTypes = [...demoCarTypes(prices, 'taxi'), ...demoCarTypes(prices, 'delivery')]
  await db.delete(carTypesTable).where(inArray(carTypesTable.name, names(carTypes)))
  await db.delete(promosTable).where(
    inArray(
      promosTable.promo_name,
      demoPromos(prices).map(({ promo_name }) => promo_name),
    ),
  )
  await db
    .delete(cancelReasonsTable)
    .where(
      inArray(cancelReasonsTable.label, [
        ...demoCancelReasons('taxi'),
        ...demoCancelReasons('delivery'),
        ...formerReasons,
      ]),
    )
  const [settings] = await db.select().from(settingsTable)
  if (settings === undefined) return
  const ofDemo = { ...demoSettings, ...demoDeliverySettings }
  const own = Object.fromEntries(
    Object.entries(settings.value).filter(
      ([name, value]) => !fromFirstStart.has(name) && (ofDemo as Record<string, unknown>)[name] !== value,
    ),
  )
  await db.update(settingsTable).set({ value: own, version: sql`${settingsTable.version} + 1` })
}
