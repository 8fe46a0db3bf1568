import type { PoolClient } from 'pg'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { seedCatalogue } from '../demo/city-data.ts'
import { demoPrices } from '../demo/prices.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { type CityUnits, fillBookings } from './fill-bookings.ts'
import { crowdOf, fillUsers } from './fill-users.ts'

/** The size of the city, and a callback for its progress. */
export interface LargeCity {
  bookings: number
  users: number
  settings: CurrentSettings
  now: number
  onProgress(line: string): void
}

/**
 * Fills a migrated database with the people and bookings of a large city, in one transaction of set-based statements: a
 * million bookings in minutes. Indexes of bookings are rebuilt at the end, triggers and foreign keys are off meanwhile,
 * and the rows that triggers maintain (search index, report sums) are computed once. Needs exclusive use of the
 * database.
 */
export async function fillLargeCity(database: Database, city: LargeCity): Promise<void> {
  const { bookings, users, settings, now, onProgress: told } = city
  await database.withTransaction(async (tx) => {
    const { client } = tx
    for (const setting of [
      'statement_timeout = 0',
      'idle_in_transaction_session_timeout = 0',
      `maintenance_work_mem = '1GB'`,
      `work_mem = '256MB'`,
      'jit = off',
    ]) {
      await client.query(`set local ${setting}`)
    }
    // The same city each time.
    await client.query('select setseed(0.42)')
    await offerCarTypes(tx, now, settings.code)
    told(`${users} people`)
    await fillUsers(client, crowdOf(users), now, settings.code)
    await makeLetters(client)
    const restore = await takeDown(client, ['bookings', 'booking_search'])
    const units: CityUnits = { ...settings, now, currency: settings.code }
    await fillBookings(client, bookings, units, (made) => told(`${made} of ${bookings} bookings`))
    told('search index and report sums')
    await client.query(`insert into booking_search select b.id, booking_search_text(b), booking_contacts(b) from bookings b
      where not exists (select from booking_search s where s.booking_id = b.id)`)
    await client.query('select rebuild_reports($1)', [settings.timezone])
    told('indexes')
    await restore()
  })
  told('statistics')
  const client = await database.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('vacuum (analyze) users, bookings, booking_search, ledger_entries, ledger_legs')
  } finally {
    client.release(true)
  }
}

async function offerCarTypes(tx: Transaction, now: number, currency: string): Promise<void> {
  const found = await tx.client.query('select 1 from car_types where archived_at is null limit 1')
  if (found.rowCount === 0) await seedCatalogue(tx, now, demoPrices(currency), 'taxi')
}

/** Creates the functions that make booking codes and street addresses. */
async function makeLetters(client: PoolClient): Promise<void> {
  // 48271 is coprime to 31, so every number gets a different code.
  await client.query(`create or replace function pg_temp.code(n bigint) returns text language sql immutable as $$
    select string_agg(substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + (k / power(31, place)::bigint % 31)::int, 1), ''
        order by place)
      from (select n * 48271 % power(31, 6)::bigint as k) mixed, generate_series(0, 5) place $$`)
  await client.query(`create or replace function pg_temp.address(place jsonb, luck float8) returns jsonb language sql
    immutable as $$
    select jsonb_build_object('lat', place->'lat', 'lng', place->'lng', 'add',
      (place->>'street') || ' ' || (1000 + floor(luck * 3000)::int) || ', ' || (place->>'quarter')) $$`)
}

/** Drops indexes, foreign keys and triggers; returns a function that restores them. */
async function takeDown(client: PoolClient, tables: readonly string[]): Promise<() => Promise<void>> {
  const after: string[] = []
  for (const table of tables) {
    const keys = await client.query<{ name: string; definition: string }>(
      `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
        where conrelid = $1::regclass and contype = 'f'`,
      [table],
    )
    for (const { name, definition } of keys.rows) {
      await client.query(`alter table ${table} drop constraint "${name}"`)
      after.push(`alter table ${table} add constraint "${name}" ${definition}`)
    }
    // Indexes of constraints stay, which keeps values unique.
    const indexes = await client.query<{ name: string; definition: string }>(
      `select c.relname as name, pg_get_indexdef(c.oid) as definition
        from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = $1::regclass and not exists (select from pg_constraint where conindid = i.indexrelid)`,
      [table],
    )
    for (const { name, definition } of indexes.rows) {
      await client.query(`drop index "${name}"`)
      after.unshift(definition)
    }
    await client.query(`alter table ${table} disable trigger user`)
    after.push(`alter table ${table} enable trigger user`)
  }
  return async () => {
    for (const statement of after) await client.query(statement)
  }
}
