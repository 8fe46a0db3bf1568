import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { type AuditRecord, writeAudit } from './audit.ts'

let database: TestDatabase
const admin = uuidv7()
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query(
    `insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id)
      values ($1, 0, 'Ada', 'Admin', 'ada@x.test', 'admin', true, 'ada')`,
    [admin],
  )
})
afterAll(() => database.close())

const change = (record: Partial<AuditRecord> = {}): AuditRecord => ({
  by: admin,
  at: 1_000,
  action: 'users.update',
  kind: 'user',
  subject: uuidv7(),
  label: 'Rita Rider',
  before: { firstName: 'Rita', approved: true, version: 1 },
  after: { firstName: 'Rina', approved: false, version: 2 },
  ...record,
})
const write = (record: AuditRecord) => database.withTransaction((tx) => writeAudit(tx, record))
const rows = async (subject: string) =>
  (await database.pool.query('select * from audit_log where subject = $1 order by id', [subject])).rows

test('write: fields changed -> stores the author name and only the changed fields', async () => {
  const record = change()
  await write(record)
  expect(await rows(record.subject)).toEqual([
    {
      id: expect.any(String),
      at: 1_000,
      by_user: admin,
      by_name: 'Ada Admin',
      action: 'users.update',
      kind: 'user',
      subject: record.subject,
      label: 'Rita Rider',
      person: record.subject,
      version: null,
      before: { firstName: 'Rita', approved: true },
      after: { firstName: 'Rina', approved: false },
    },
  ])
})

test('write: created -> no before; deleted -> no after; unchanged -> no row', async () => {
  const subject = uuidv7()
  await write(change({ subject, kind: 'promo', before: null, after: { promo_name: 'X' } }))
  await write(change({ subject, kind: 'promo', before: { promo_name: 'X' }, after: null }))
  await write(change({ subject, before: { a: 1, version: 1 }, after: { a: 1, version: 2 } }))
  const stored = await rows(subject)
  expect(stored.map(({ before, after, person }) => [before, after, person])).toEqual([
    [null, { promo_name: 'X' }, null],
    [{ promo_name: 'X' }, null, null],
  ])
})

test('write: transaction rolls back -> no audit row', async () => {
  const record = change()
  const failing = database.withTransaction(async (tx) => {
    await writeAudit(tx, record)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await rows(record.subject)).toEqual([])
})

test.each([
  `update audit_log set label = 'x'`,
  `update audit_log set by_user = gen_random_uuid()`,
  'delete from audit_log',
  'truncate audit_log',
])('audit log: %s -> rejected, append-only', async (statement) => {
  await write(change())
  await expect(database.pool.query(statement)).rejects.toThrow('append-only')
})

test('forget: account deleted -> name removed, entry stored, other updates rejected', async () => {
  const record = change()
  await write(record)
  await database.pool.query(`select erase_from_audit($1, 'Deleted user', 100)`, [record.subject])
  expect(await rows(record.subject)).toMatchObject([
    {
      label: 'Deleted user',
      by_name: 'Ada Admin',
      before: { approved: true },
      after: { approved: false },
    },
  ])
  await database.pool.query(`select erase_from_audit($1, 'Deleted user', 100)`, [admin])
  expect(await rows(record.subject)).toMatchObject([{ by_user: admin, by_name: 'Deleted user' }])
  const other = database.withTransaction(async ({ client }) => {
    await client.query(`set local hansom.forgetting = 'on'`)
    await client.query('update audit_log set at = 0')
  })
  await expect(other).rejects.toThrow('append-only')
  await expect(database.pool.query(`update audit_log set label = 'x'`)).rejects.toThrow('append-only')
})
