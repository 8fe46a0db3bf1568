import { type SavedAddress, savedAddressesAfter } from '@hansom/domain/users/profile'
import { userOf } from '@hansom/domain/wallet/ledger'
import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { rowJson } from '../../platform/database/columns.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { testPaymentsTable } from '../../platform/test-payments/table.ts'
import { bookingEventsTable, bookingsTable } from '../bookings/table.ts'
import { chatMessagesTable, chatReportsTable, chatsTable } from '../chats/table.ts'
import { deliveriesTable, deliveryStopsTable } from '../deliveries/table.ts'
import { paymentsTable, topUpsTable } from '../payments/table.ts'
import { refundsTable } from '../refunds/table.ts'
import { savedAddressesTable, userRatingsTable } from '../users/table.ts'
import { duesTable, ledgerEntriesTable, ledgerLegsTable } from '../wallet/table.ts'
import { withdrawsTable } from '../withdraws/table.ts'
import type { PastChats } from './past-chats.ts'
import { nameOf, type PastCity } from './past-city.ts'
import type { PastPayment } from './past-ledger.ts'
import type { PastMoney } from './past-money.ts'

/** Rows per statement, which keeps the memory use of a first start low. */
const batch = 500

/** Writes the simulated past with multi-row statements. */
export async function writeHistory(
  tx: Transaction,
  city: PastCity,
  money: PastMoney,
  { chats, messages, reports }: PastChats,
): Promise<void> {
  const { client } = tx
  const { settings } = city.world
  await client.query('set local statement_timeout = 0')
  await insert(tx, bookingsTable, [...city.bookings.values()])
  const deliveries = [...city.deliveries].map(([booking_id, delivery]) => ({ booking_id, ...delivery }))
  await insert(
    tx,
    deliveriesTable,
    deliveries.map(({ stops: _stops, ...record }) => record),
  )
  await insert(
    tx,
    deliveryStopsTable,
    deliveries.flatMap(({ booking_id, stops }) =>
      stops.map(({ photo: _photo, signature: _signature, ...stop }) => ({ booking_id, ...stop })),
    ),
  )
  await insert(
    tx,
    bookingEventsTable,
    city.events.map(({ by, ...event }) => ({ ...event, actor: by.role, by_user: by.id })),
  )
  await insert(tx, userRatingsTable, city.ratings)
  await insert(tx, chatsTable, chats)
  await insert(tx, chatMessagesTable, messages)
  await insert(tx, chatReportsTable, reports)
  const topUps = city.payments.filter(({ booking }) => booking === null)
  await insert(
    tx,
    topUpsTable,
    topUps.map(({ id, payer, amount, at }, index) => ({
      id,
      code: topUpCode(index),
      uid: payer.id,
      amount,
      currency: settings.code,
      created_at: at,
    })),
  )
  const codes = new Map(topUps.map(({ id }, index) => [id, topUpCode(index)]))
  const payments = city.payments.map((payment) =>
    paymentRow(payment, settings.code, payment.booking?.booking_id ?? codes.get(payment.id) ?? ''),
  )
  await insert(tx, paymentsTable, payments)
  await insert(
    tx,
    testPaymentsTable,
    payments.map(({ id, reference, amount, currency, paid_at }) => ({
      reference,
      amount,
      currency,
      state: 'paid',
      decided_at: paid_at,
      refunds: Object.fromEntries(
        money.refunds.filter(({ payment }) => payment === id).map((refund) => [refund.id, refund.amount]),
      ),
    })),
  )
  await insert(tx, withdrawsTable, money.withdraws)
  await insert(tx, refundsTable, money.refunds)
  await writeLedger(tx, city)
  await writeVisits(tx, city)
  for (const [promo, uses] of city.promoUses) {
    await client.query('update promos set user_avail = user_avail + $2 where id = $1', [promo, uses])
  }
  await client.query(`update users u set rating_sum = r.sum, rating_count = r.count
    from (select user_id, sum(rate) as sum, count(*) as count from user_ratings group by user_id) r
    where r.user_id = u.id`)
}

/** Writes what `append_ledger` would write for each movement. */
async function writeLedger(tx: Transaction, city: PastCity): Promise<void> {
  const currency = city.world.settings.code
  const balances = new Map<string, number>()
  const legs: (typeof ledgerLegsTable.$inferInsert)[] = []
  const entries = city.movements.map(({ entry, at, by }) => {
    const row = {
      id: uuidv7(),
      at,
      kind: entry.kind,
      key: entry.key,
      booking_id: entry.booking,
      currency,
      by_user: by,
    }
    entry.legs.forEach(({ account, amount }, index) => {
      const user_id = userOf(account)
      const balance = user_id === null ? null : (balances.get(user_id) ?? 0) + amount
      if (user_id !== null && balance !== null) balances.set(user_id, balance)
      legs.push({ entry_id: row.id, position: index + 1, account, user_id, amount, balance })
    })
    return row
  })
  await insert(tx, ledgerEntriesTable, entries)
  await insert(tx, ledgerLegsTable, legs)
  await insert(
    tx,
    duesTable,
    city.dues.map(({ booking, ...due }) => ({ booking_id: booking, ...due })),
  )
  await tx.client.query(
    `update users u set wallet_balance = b.balance
      from jsonb_to_recordset($1) as b(id uuid, balance bigint) where u.id = b.id`,
    [JSON.stringify([...balances].map(([id, balance]) => ({ id, balance })))],
  )
}

/** Writes the demo rider's recent places. */
async function writeVisits(tx: Transaction, { visits, world }: PastCity): Promise<void> {
  const user_id = world.riders[0]?.id
  let places: SavedAddress[] = []
  for (const { user, point } of visits) if (user === user_id) places = savedAddressesAfter(places, point)
  await insert(
    tx,
    savedAddressesTable,
    places.map((place) => ({ ...place, id: uuidv7(), user_id })),
  )
}

const topUpCode = (index: number): string => `TOP${String(index + 1).padStart(5, '0')}`

function paymentRow(
  { id, booking, payer, amount, at, refunded }: PastPayment,
  currency: string,
  code: string,
) {
  return {
    id,
    provider: 'test' as const,
    live: false,
    booking: booking?.id ?? null,
    top_up: booking === null ? id : null,
    code,
    number: 1,
    reference: `${code}-1`,
    payer: payer.id,
    payer_name: nameOf(payer),
    amount,
    currency,
    state: 'paid' as const,
    provider_ref: `${code}-1`,
    provider_id: `${code}-1`,
    used_for: booking === null ? ('top_up' as const) : ('booking' as const),
    differs: [],
    refunded,
    created_at: at - 40_000,
    paid_at: at,
    opened_at: at - 40_000,
    closed: true,
  }
}

/** Inserts rows with the same columns; other columns get their defaults. */
async function insert(tx: Transaction, table: PgTable, rows: readonly object[]): Promise<void> {
  const name = getTableName(table)
  const { write } = rowJson<object>(table)
  for (let from = 0; from < rows.length; from += batch) {
    const written = rows.slice(from, from + batch).map((row) => write(row))
    const columns = Object.keys(written[0] ?? {})
      .map((column) => `"${column}"`)
      .join(', ')
    await tx.client.query(
      `insert into ${name} (${columns}) select ${columns} from jsonb_populate_recordset(null::${name}, $1)`,
      [JSON.stringify(written)],
    )
  }
}
