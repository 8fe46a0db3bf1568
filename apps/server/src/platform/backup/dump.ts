import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Pool, PoolClient } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { appliedMigrations } from '../database/migrate.ts'
import { createQueues, jobTables, type QueueRow, readQueues } from '../jobs/job-table.ts'

const queue = z.object({ name: z.string(), options: z.record(z.string(), z.unknown()) })

/** What a dump says about itself. Names are quoted for SQL where needed. */
export const dumpShape = z.object({
  /** Hashes of the migrations, oldest first. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), file: z.string(), rows: z.int() }),
  ),
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bound: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  queues: z.array(queue),
})
export type Dump = z.infer<typeof dumpShape>

/** The tables with data; those of migrations and of functions describe the schema, which a restore makes itself. */
const dumpedTables = `select format('%I.%I', n.nspname, c.relname) as name,
    array(select quote_ident(attname) from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where (n.nspname = 'public' or format('%I.%I', n.nspname, c.relname) = any($1))
    and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 't'
  order by 1`

/**
 * Writes every row as compressed files into `folder`, as of one moment, while servers go on. Any version of PostgreSQL
 * reads them: they are in the text format of COPY.
 */
export async function dumpDatabase(pool: Pool, folder: string): Promise<Dump> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('set idle_in_transaction_session_timeout = 0')
    await client.query('begin isolation level repeatable read read only')
    const found = await client.query<{ name: string; columns: string[] }>(dumpedTables, [jobTables])
    const partitions = await client.query<Dump['partitions'][number]>(partitionsOf)
    const queues = await readQueues(client)
    const migrations = [...(await appliedMigrations(client))]
    const tables: Dump['tables'] = []
    for (const [index, { name, columns }] of found.rows.entries()) {
      const file = `${index}.copy.gz`
      const rows = client.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`))
      await pipeline(rows, createGzip({ level: 1 }), createWriteStream(join(folder, file), { mode: 0o600 }))
      tables.push({ name, columns, file, rows: rows.rowCount })
    }
    // Last, because they do not belong to the moment: no row of it has a later value.
    const sequences = await client.query<Dump['sequences'][number]>(
      `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
        where schemaname = 'public' and last_value is not null`,
    )
    await client.query('commit')
    return { migrations, tables, partitions: partitions.rows, sequences: sequences.rows, queues }
  } finally {
    // Closing the connection drops its settings.
    client.release(true)
  }
}

const partitionsOf = `select format('%I', child.relname) as name, i.inhparent::regclass::text as parent,
    pg_get_expr(child.relpartbound, child.oid) as bound
  from pg_inherits i join pg_class child on child.oid = i.inhrelid
  where child.relnamespace = 'public'::regnamespace and child.relkind = 'r' order by 1`

/**
 * Replaces every row by those of a dump, in one transaction. The schema is that of the dump's migrations. Throws when a
 * file is damaged or incomplete.
 */
export async function loadDump(client: PoolClient, folder: string, dump: Dump): Promise<void> {
  await client.query('set statement_timeout = 0')
  await client.query('begin')
  try {
    await makePartitions(client, dump.partitions)
    await createQueues(client, dump.queues as QueueRow[])
    const constraints = await dropForeignKeys(client)
    const triggered = await client.query<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where not tgisinternal and c.relnamespace = 'public'::regnamespace`,
    )
    for (const { name } of triggered.rows) await client.query(`alter table ${name} disable trigger user`)
    await client.query(`truncate ${dump.tables.map(({ name }) => name).join(', ')}`)
    for (const table of dump.tables) await loadTable(client, folder, table)
    for (const { name, value } of dump.sequences) await client.query('select setval($1, $2)', [name, value])
    for (const { name } of triggered.rows) await client.query(`alter table ${name} enable trigger user`)
    for (const { table, name, text } of constraints)
      await client.query(`alter table ${table} add constraint ${name} ${text}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
  await client.query('analyze')
}

async function loadTable(
  client: PoolClient,
  folder: string,
  { name, columns, file, rows }: Dump['tables'][number],
): Promise<void> {
  const target = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`))
  await pipeline(createReadStream(join(folder, file)), createGunzip(), target)
  if (target.rowCount !== rows) throw new Error(`${name} has ${target.rowCount} rows instead of ${rows}`)
}

/** The migrations may have made other months than those of the dump. */
async function makePartitions(client: PoolClient, wanted: Dump['partitions']): Promise<void> {
  const { rows } = await client.query<Dump['partitions'][number]>(partitionsOf)
  const keyOf = ({ name, parent, bound }: Dump['partitions'][number]) => `${name} ${parent} ${bound}`
  const [before, after] = [new Set(rows.map(keyOf)), new Set(wanted.map(keyOf))]
  for (const one of rows) if (!after.has(keyOf(one))) await client.query(`drop table ${one.name}`)
  for (const one of wanted) {
    if (before.has(keyOf(one))) continue
    await client.query(`create table ${one.name} partition of ${one.parent} ${one.bound}`)
  }
}

/** Rows arrive in any order. Returns how to add the constraints again, which checks all rows. */
async function dropForeignKeys(client: PoolClient) {
  const { rows } = await client.query<{ table: string; name: string; text: string }>(
    `select conrelid::regclass::text as table, format('%I', conname) as name, pg_get_constraintdef(oid) as text
      from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 1, 2`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows
}
