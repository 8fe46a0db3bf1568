import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createPartitions,
  dropPartition,
  listPartitions,
  type Partition,
  readPartition,
} from './partitions.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const audit = { name: 'audit_log', timeColumn: 'at' }

async function addRow(at: number): Promise<string> {
  const id = randomUUID()
  await database.pool.query(
    `insert into audit_log (id, at, by_user, by_name, action, kind, subject, label)
      values ($1::uuid, $2, $1::uuid, 'A', 'x', 'user', $1::uuid::text, 'L')`,
    [id, at],
  )
  return id
}

const partitionOf = async (id: string) =>
  (await database.pool.query('select tableoid::regclass::text as name from audit_log where id = $1', [id]))
    .rows[0]?.name

test('partitions: after the migration -> one up to this month, three more, and a default', async () => {
  const [before, ...months] = await listPartitions(database, audit)
  expect(before).toMatchObject({ name: 'audit_log_before', from: null })
  expect(months).toHaveLength(3)
  expect(months.map(({ from }) => from)).toEqual([before?.to, months[0]?.to, months[1]?.to])
  expect(await partitionOf(await addRow(1_000))).toBe('audit_log_before')
  expect(await partitionOf(await addRow(Date.now()))).toBe('audit_log_before')
})

test('partitions: rows beyond the last month -> in the default partition, moved once their month is created', async () => {
  const later = (await listPartitions(database, audit)).at(-1)?.to ?? 0
  const id = await addRow(later + 1_000)
  expect(await partitionOf(id)).toBe('audit_log_rest')
  const made = await createPartitions(database, audit, later)
  expect(made).toHaveLength(4)
  expect(await partitionOf(id)).toBe(made[0])
  expect(await createPartitions(database, audit, later)).toEqual([])
  await expect(database.pool.query('delete from audit_log where id = $1', [id])).rejects.toThrow(
    'append-only',
  )
})

test('partitions: read and dropped -> its rows are returned, then deleted; others remain', async () => {
  const months = await listPartitions(database, audit)
  const month = months.at(-1) as Partition
  const other = await addRow((month.from ?? 0) - 1)
  for (let row = 0; row < 5; row++) await addRow((month.from ?? 0) + row)
  const batches: string[][] = []
  for await (const batch of readPartition(database, month, 300)) batches.push(batch)
  expect(batches.map((batch) => batch.length)).toEqual([2, 2, 1])
  expect(batches.flat().map((row) => JSON.parse(row).at)).toEqual(
    [0, 1, 2, 3, 4].map((ms) => (month.from ?? 0) + ms),
  )
  await dropPartition(database, month)
  expect((await listPartitions(database, audit)).at(-1)?.to).toBe(month.from)
  expect(await partitionOf(other)).toBe(months.at(-2)?.name)
})

test('partitions: long rows -> small batches of complete rows', async () => {
  const month = (await listPartitions(database, audit)).at(-1) as Partition
  await database.pool.query(
    `insert into audit_log (id, at, by_user, by_name, action, kind, subject, label, after)
      select gen_random_uuid(), $1, gen_random_uuid(), 'A', 'x', 'user', n, 'L', to_jsonb(repeat('é', 150000)) from generate_series(1, 40) n`,
    [month.from],
  )
  const batches: string[][] = []
  for await (const batch of readPartition(database, month)) batches.push(batch)
  const sizes = batches.map((batch) => Buffer.byteLength(batch.join('')))
  expect(Math.max(...sizes)).toBeLessThan(8_388_608 + 310_000)
  const rows = batches.flat().flatMap((row) => (row.length > 1_000 ? [JSON.parse(row)] : []))
  expect(rows.map(({ subject }) => Number(subject))).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
  expect(rows.every(({ after }) => after.length === 150_000)).toBe(true)
})

test('partitions: table is being read -> drop times out, later succeeds', async () => {
  const month = (await listPartitions(database, audit)).at(-1) as Partition
  const reader = await database.pool.connect()
  try {
    await reader.query('begin')
    await reader.query('select count(*) from audit_log')
    await expect(dropPartition(database, month)).rejects.toThrow('lock timeout')
  } finally {
    await reader.query('rollback')
    reader.release()
  }
  await dropPartition(database, month)
})
