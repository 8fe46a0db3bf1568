import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partitionedTables } from '../../features/retention/service.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const source = fileURLToPath(new URL('../..', import.meta.url))
const files = ['features', 'platform'].flatMap((folder) =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === 'table.ts')
    .map((file) => join(source, folder, file)),
)
const modules = await Promise.all(files.map((file) => import(file) as Promise<Record<string, unknown>>))
const tables = modules
  .flatMap((module) => Object.values(module))
  .filter((value): value is PgTable => value instanceof PgTable)
  .map((table) => getTableConfig(table))

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const names = async (text: string, values: unknown[] = []) =>
  (await database.pool.query<{ name: string }>(text, values)).rows.map(({ name }) => name).sort()

describe('drizzle tables match the database', () => {
  test.each(tables.map((table) => [table.name, table] as const))('%s', async (name, table) => {
    expect(
      await names(
        `select attname || ' ' || format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end as name
          from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
        [name],
      ),
    ).toEqual(
      table.columns
        .map((column) => {
          const isKey = column.primary || table.primaryKeys.some(({ columns }) => columns.includes(column))
          const type = column
            .getSQLType()
            .replace('bigserial', 'bigint')
            .replace('timestamp (', 'timestamp(')
            .replace(/^serial$/, 'integer')
          return `${column.name} ${type}${column.notNull || isKey ? ' not null' : ''}`
        })
        .sort(),
    )
    const key = await names(
      `select a.attname as name from pg_index i, unnest(i.indkey) part, pg_attribute a
        where i.indrelid = $1::regclass and i.indisprimary and a.attrelid = i.indrelid and a.attnum = part`,
      [name],
    )
    expect(key).toEqual(
      [
        ...table.columns.filter((column) => column.primary),
        ...table.primaryKeys.flatMap(({ columns }) => columns),
      ]
        .map((column) => column.name)
        .sort(),
    )
    const indexes = await names(
      `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = $1::regclass`,
      [name],
    )
    expect(indexes).toEqual(
      expect.arrayContaining(table.indexes.flatMap(({ config }) => (config.name ? [config.name] : []))),
    )
  })

  test('partitioned tables: the database -> same list as in retention', async () => {
    const found = await database.pool.query<{ name: string; moment: string }>(
      `select c.relname as name, a.attname as moment from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
        join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
        where c.relnamespace = 'public'::regnamespace order by 1`,
    )
    const known = partitionedTables.map(({ name, timeColumn: moment }) => ({ name, moment }))
    expect(found.rows).toEqual(known.sort((a, b) => (a.name < b.name ? -1 : 1)))
  })
})
