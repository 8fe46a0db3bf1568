import type { PoolClient } from 'pg'
import type { Database } from './database.ts'

/** A table partitioned by month on an epoch-milliseconds column. */
export interface PartitionedTable {
  name: string
  /** The partitioning column. */
  timeColumn: string
}

export interface Partition {
  name: string
  /** Epoch ms; null for the first partition, which has no lower bound. */
  from: number | null
  to: number
}

const monthsAhead = 3
/** Limit in ms: a longer wait for the lock would block the queries queued behind it. */
const lockTimeoutMs = 2_000

/** Returns the monthly partitions of a table, oldest first, without the default partition. */
export async function listPartitions(
  { pool }: Pick<Database, 'pool'>,
  table: PartitionedTable,
): Promise<Partition[]> {
  const reply = await pool.query<{ name: string; bound: string }>(
    `select child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bound
      from pg_inherits i join pg_class child on child.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [table.name],
  )
  return reply.rows
    .flatMap(({ name, bound }) => {
      const found = /FROM \('?(MINVALUE|-?\d+)'?\) TO \('?(-?\d+)'?\)/.exec(bound)
      if (!found) return []
      const [, from, to] = found
      return [{ name, from: from === 'MINVALUE' ? null : Number(from), to: Number(to) }]
    })
    .sort((a, b) => a.to - b.to)
}

/**
 * Creates the missing partitions up to three months after `now`, and moves rows from the default partition into them.
 * Does not block readers or writers.
 */
export async function createPartitions(
  database: Pick<Database, 'pool' | 'withTransaction'>,
  table: PartitionedTable,
  now: number,
): Promise<string[]> {
  const known = await listPartitions(database, table)
  const made: string[] = []
  const until = startOfMonth(now, monthsAhead + 1)
  for (let from = known.at(-1)?.to ?? startOfMonth(now, 0); from < until; from = startOfMonth(from, 1)) {
    const name = `${table.name}_${new Date(from).toISOString().slice(0, 7).replace('-', '_')}`
    const to = startOfMonth(from, 1)
    await database.withTransaction(({ client }) => makePartition(client, table, { name, from, to }))
    made.push(name)
  }
  return made
}

async function makePartition(
  client: PoolClient,
  { name: parent, timeColumn: moment }: PartitionedTable,
  { name, from, to }: { name: string; from: number; to: number },
): Promise<void> {
  await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
  await client.query(`create table ${name} (like ${parent} including defaults)`)
  const left = await client.query(
    `select from ${parent}_rest where ${moment} >= $1 and ${moment} < $2 limit 1`,
    [from, to],
  )
  if (left.rowCount === 1) {
    // The audit log's append-only trigger would reject moving its rows.
    await client.query(`alter table ${parent}_rest disable trigger user`)
    await client.query(
      `with moved as (delete from ${parent}_rest where ${moment} >= $1 and ${moment} < $2 returning *)
        insert into ${name} select * from moved`,
      [from, to],
    )
    await client.query(`alter table ${parent}_rest enable trigger user`)
  }
  await client.query(`alter table ${parent} attach partition ${name} for values from (${from}) to (${to})`)
}

/** Drops a partition with all its rows. Throws when the lock is not free within 2 s; safe to repeat. */
export async function dropPartition(
  database: Pick<Database, 'withTransaction'>,
  partition: Partition,
): Promise<void> {
  await database.withTransaction(async ({ client }) => {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(`drop table if exists ${partition.name}`)
  })
}

/** Rows per fetch, and the size up to which a row is fetched with the others; longer rows are fetched one by one. */
const rowsAtOnce = 500
const shortBytes = 16_384

/**
 * Yields the rows of a partition as JSON, from a snapshot taken at the start. A batch ends with the row that reaches
 * `bytes`.
 */
export async function* readPartition(
  database: Pick<Database, 'pool'>,
  { name }: Partition,
  bytes = 8_388_608,
): AsyncGenerator<string[]> {
  const client = await database.pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    // Repeated reads return the same order.
    await client.query('set local synchronize_seqscans = off')
    await client.query(
      `declare rows no scroll cursor for
        select ctid::text as place, case when octet_length(json) <= ${shortBytes} then json end as json
        from (select ctid, row_to_json(r)::text as json from ${name} r offset 0) one`,
    )
    const long = async (place: string) => {
      const text = `select row_to_json(r)::text as json from ${name} r where ctid = $1::tid`
      return (await client.query<{ json: string }>(text, [place])).rows[0]?.json ?? ''
    }
    let batch: string[] = []
    let size = 0
    for (;;) {
      const { rows } = await client.query<{ place: string; json: string | null }>(
        `fetch ${rowsAtOnce} from rows`,
      )
      for (const row of rows) {
        const json = row.json ?? (await long(row.place))
        batch.push(json)
        size += Buffer.byteLength(json)
        if (size < bytes) continue
        yield batch
        batch = []
        size = 0
      }
      if (rows.length === 0) break
    }
    if (batch.length > 0) yield batch
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}

/** Start of the month (UTC) that is `months` after the month of `moment`, in epoch ms. */
function startOfMonth(moment: number, months: number): number {
  const date = new Date(moment)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}
