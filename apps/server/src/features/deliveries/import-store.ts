import type { ImportRow, ImportView } from '@hansom/contract/deliveries'
import type { ImportedRow, ImportPlan, ImportRowState } from '@hansom/domain/deliveries/import'
import type { ErrorKey } from '@hansom/domain/error-keys'
import type { Pool } from 'pg'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { CheckedRow } from './check-import-row.ts'
import type { ReadRow } from './read-import-file.ts'

export interface QueuedRow {
  import_id: string
  n: number
  data: ImportedRow
  plan: ImportPlan
}

const latest = 50

/** Files with the numbers of their rows by state, and what the open ones cost. */
const views = `select i.id, i.name, i.created_at, i.confirmed_at, u.wallet_balance as balance,
    coalesce((select jsonb_object_agg(s.state, s.rows) from
      (select r.state, count(*) as rows from delivery_import_rows r where r.import_id = i.id group by r.state) s), '{}') as counts,
    coalesce((select sum(r.fare) from delivery_import_rows r
      where r.import_id = i.id and r.state in ('good', 'queued')), 0)::bigint as due
  from delivery_imports i join user_balances u on u.id = i.user_id where i.user_id = $1`

export async function listImports(pool: Pool, uid: string): Promise<ImportView[]> {
  return (await pool.query<ImportView>(`${views} order by i.id desc limit ${latest}`, [uid])).rows
}

export async function findImport(pool: Pool, uid: string, id: string): Promise<ImportView | null> {
  return (await pool.query<ImportView>(`${views} and i.id = $2`, [uid, id])).rows[0] ?? null
}

/** Stores a file and its rows; returns its id, or that of the same file from before. */
export async function insertImport(
  { client }: Transaction,
  {
    id,
    uid,
    by,
    name,
    hash,
    at,
  }: { id: string; uid: string; by: string; name: string; hash: string; at: number },
  rows: readonly ReadRow[],
): Promise<string> {
  const { rowCount } = await client.query(
    `insert into delivery_imports (id, user_id, by_user, name, hash, created_at) values ($1, $2, $3, $4, $5, $6)
      on conflict (user_id, hash) do nothing`,
    [id, uid, by, name, hash, at],
  )
  if (rowCount === 0) {
    const same = await client.query<{ id: string }>(
      'select id from delivery_imports where user_id = $1 and hash = $2',
      [uid, hash],
    )
    return same.rows[0]?.id ?? id
  }
  await client.query(
    `insert into delivery_import_rows (import_id, n, data, key, state, problems)
      select $1, n, data, key, 'new', '[]' from jsonb_to_recordset($2) as r(n int, data jsonb, key text)`,
    [id, JSON.stringify(rows)],
  )
  return id
}

export async function readRows(
  pool: Pool,
  id: string,
  { after, state, limit }: { after: number; state?: ImportRowState | undefined; limit: number },
): Promise<ImportRow[]> {
  const { rows } = await pool.query<ImportRow>(
    `select n, state, data, problems, plan, fare, reason, booking_id as booking from delivery_import_rows
      where import_id = $1 and n > $2 and ($3::text is null or state = $3) order by n limit $4`,
    [id, after, state ?? null, limit],
  )
  return rows
}

export async function rowsToCheck(
  pool: Pool,
  id: string,
  limit: number,
): Promise<{ n: number; data: ImportedRow }[]> {
  const { rows } = await pool.query<{ n: number; data: ImportedRow }>(
    `select n, data from delivery_import_rows where import_id = $1 and state = 'new' order by n limit $2`,
    [id, limit],
  )
  return rows
}

export async function storeChecked(pool: Pool, id: string, n: number, row: CheckedRow): Promise<void> {
  await pool.query(
    `update delivery_import_rows set state = $3, problems = $4, plan = $5, fare = $6
      where import_id = $1 and n = $2 and state = 'new'`,
    [id, n, row.state, JSON.stringify(row.problems), row.plan, row.fare],
  )
}

/**
 * Queues the good rows, except those that are in another file's queue or were booked from it. Returns the number of queued
 * rows.
 */
export async function queueGoodRows(
  { client }: Transaction,
  uid: string,
  id: string,
  at: number,
): Promise<number> {
  const { rows } = await client.query<{ state: ImportRowState }>(
    `update delivery_import_rows r set state = case when exists (select from delivery_import_rows o
        join delivery_imports i on i.id = o.import_id where o.key = r.key and i.user_id = $2 and i.id <> $1
          and o.state in ('queued', 'booked')) then 'duplicate' else 'queued' end
      where import_id = $1 and state = 'good' returning r.state`,
    [id, uid],
  )
  await client.query('update delivery_imports set confirmed_at = coalesce(confirmed_at, $2) where id = $1', [
    id,
    at,
  ])
  return rows.filter(({ state }) => state === 'queued').length
}

/** Returns the number of rows that it takes out of the queue. */
export async function removeQueuedRows({ client }: Transaction, id: string): Promise<number> {
  const { rowCount } = await client.query(
    `update delivery_import_rows set state = 'removed', reason = null where import_id = $1 and state = 'queued'`,
    [id],
  )
  return rowCount ?? 0
}

export async function nextQueued(pool: Pool, uid: string): Promise<QueuedRow | null> {
  const { rows } = await pool.query<QueuedRow>(
    `select r.import_id, r.n, r.data, r.plan from delivery_import_rows r join delivery_imports i on i.id = r.import_id
      where i.user_id = $1 and r.state = 'queued' order by r.import_id, r.n limit 1`,
    [uid],
  )
  return rows[0] ?? null
}

/** A row that was taken out of the queue while it was booked is booked. */
export async function storeOutcome(
  pool: Pool,
  { import_id, n }: QueuedRow,
  outcome: { booking: string } | { reason: ErrorKey },
): Promise<void> {
  const [state, booking, reason] =
    'booking' in outcome ? ['booked', outcome.booking, null] : ['refused', null, outcome.reason]
  await pool.query(
    `update delivery_import_rows set state = $3, booking_id = $4, reason = $5
      where import_id = $1 and n = $2 and (state = 'queued' or (state = 'removed' and $3 = 'booked'))`,
    [import_id, n, state, booking, reason],
  )
}

/** Sets why all queued rows of a sender wait. */
export async function waitForAll(pool: Pool, uid: string, reason: ErrorKey): Promise<void> {
  await pool.query(
    `update delivery_import_rows r set reason = $2 from delivery_imports i
      where i.id = r.import_id and i.user_id = $1 and r.state = 'queued' and r.reason is distinct from $2`,
    [uid, reason],
  )
}

/** The deliveries booked from a file, in its order; none for a file of another sender than `uid`, null for any. */
export async function bookedFrom(
  pool: Pool,
  uid: string | null,
  id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ booking_id: string }>(
    `select r.booking_id from delivery_import_rows r join delivery_imports i on i.id = r.import_id
      where i.id = $1 and ($2::uuid is null or i.user_id = $2) and r.booking_id is not null
      order by r.n limit $3 offset $4`,
    [id, uid, limit, offset],
  )
  return rows.map(({ booking_id }) => booking_id)
}

export async function sendersWithQueue(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ uid: string }>(
    `select distinct i.user_id as uid from delivery_imports i
      join delivery_import_rows r on r.import_id = i.id where r.state = 'queued' limit 1000`,
  )
  return rows.map(({ uid }) => uid)
}

/** Removes the files from before `before`, epoch ms, except those with rows in the queue. */
export async function removeOldImports(pool: Pool, before: number): Promise<void> {
  await pool.query(
    `delete from delivery_imports i where i.created_at < $1 and not exists
      (select from delivery_import_rows r where r.import_id = i.id and r.state = 'queued')`,
    [before],
  )
}
