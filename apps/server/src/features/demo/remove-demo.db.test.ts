import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadConfig } from '../../config.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { countDemoUsers, removeDemo } from './remove-demo.ts'

// Creates a complete demo, which is slow while other tests run.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

let app: TestApp
const dataDir = mkdtempSync(join(tmpdir(), 'hansom-demo-test-'))

beforeAll(async () => {
  app = await createTestApp({ config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), dataDir } })
  await app.services.demo.seed({ drivers: 0, riders: 0 })
})
afterAll(async () => {
  await app.close()
  rmSync(dataDir, { recursive: true })
})

const query = async <Row extends object>(text: string) => (await app.database.pool.query<Row>(text)).rows
const countOf = async (table: string) =>
  (await query<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n
/** Each table with its file node. */
const files = async () =>
  (
    await query<{ file: string }>(
      `select relname || ' ' || relfilenode as file from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
  ).map(({ file }) => file)

const removedFolders: string[] = []
const removeFolder = async (folder: string) => void removedFolders.push(folder)

test('removeDemo: demo with users of its own -> unchanged, and lists them', async () => {
  const real = await app.addUser({ email: 'real@taxi.example', usertype: 'rider' })
  const before = [await countOf('bookings'), await countOf('ledger_legs'), await countOf('users')]
  expect(await removeDemo(app.database, { withOthers: false, removeFolder })).toEqual({
    kind: 'others',
    others: { people: 1, some: ['rider real@taxi.example'], bookings: 0 },
  })
  expect([await countOf('bookings'), await countOf('ledger_legs'), await countOf('users')]).toEqual(before)
  expect(removedFolders).toEqual([])
  await app.database.pool.query('delete from users where id = $1', [real])
})

test('removeDemo: files cannot be removed -> the demo stays', async () => {
  const disk = new Error('disk')
  await expect(
    removeDemo(app.database, { withOthers: false, removeFolder: () => Promise.reject(disk) }),
  ).rejects.toBe(disk)
  expect(await countDemoUsers(app.database.db)).toBeGreaterThan(50)
})

test('removeDemo: demo only -> removes people, sessions, bookings and ledger; keeps added list entries', async () => {
  const { demo, accounts, settings } = app.services
  await accounts.signIn(
    { email: demo.accounts[0] ?? '', password: demo.password },
    { ip: '::1', userAgent: '' },
  )
  await app.database.pool.query(
    `insert into cancel_reasons values (98, 'My plans have changed'), (99, 'A reason of our own')`,
  )
  await app.database.withTransaction((tx) => settings.update(tx, { appName: 'Own Cabs' }))
  expect(await countDemoUsers(app.database.db)).toBeGreaterThan(50)
  const filled = await files()
  const [photo] = await query<{ id: string }>(
    `select booking_id as id from chat_messages where photo is not null limit 1`,
  )

  expect(await removeDemo(app.database, { withOthers: false, removeFolder })).toMatchObject({
    kind: 'removed',
  })

  // Only the demo's own: other installations may share the folder of files.
  expect(removedFolders).toContain(`chats/${photo?.id}/`)
  expect(removedFolders.every((folder) => /^(users|bookings|chats)\/[0-9a-f-]{36}\/$/.test(folder))).toBe(
    true,
  )
  expect(await countDemoUsers(app.database.db)).toBe(0)
  const stays = [
    'cancel_reasons',
    // Added by admins; a demo has none.
    'dispatch_rules',
    'server_term',
    // Servers that share the database; a demo is removed while none runs.
    'servers',
    'leases',
    'phone_normalisation',
    'settings',
    'languages',
    'report_state',
    // What outside map services bill for today, demo or not.
    'map_calls',
  ]
  const ofLists = ['car_types', 'promos']
  const tables = await query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'public'`,
  )
  for (const { tablename } of tables) {
    if (!stays.includes(tablename)) expect([tablename, await countOf(tablename)]).toEqual([tablename, 0])
  }
  // Every emptied table has a new file, including those that were empty before.
  const kept = (await files()).filter((file) => filled.includes(file)).map((file) => file.split(' ')[0])
  expect(kept.toSorted()).toEqual([...stays, ...ofLists].toSorted())
  expect(await query('select label from cancel_reasons')).toEqual([{ label: 'A reason of our own' }])
  expect((await query<{ value: object }>('select value from settings'))[0]?.value).toEqual({
    appName: 'Own Cabs',
  })
  expect(await removeDemo(app.database, { withOthers: false, removeFolder })).toEqual({ kind: 'none' })
})

test('removeDemo: afterwards -> ledger and audit log are append-only again', async () => {
  await expect(app.database.pool.query('truncate ledger_legs')).rejects.toThrow('append-only')
  await expect(app.database.pool.query('truncate audit_log')).rejects.toThrow('append-only')
  const off = await query(
    `select tgname from pg_trigger where tgrelid::regclass::text ~ 'ledger|audit' and tgenabled <> 'O'`,
  )
  expect(off).toEqual([])
})

test('removeDemo: withOthers -> removes the other users too', async () => {
  await app.services.demo.seed({ drivers: 0, riders: 0 })
  await app.addUser({ email: 'real@taxi.example', usertype: 'rider' })
  expect(await removeDemo(app.database, { withOthers: true, removeFolder })).toMatchObject({
    kind: 'removed',
  })
  expect(await countOf('users')).toBe(0)
})

test('removeDemo: no demo -> database unchanged', async () => {
  await app.addUser({ email: 'real@taxi.example', usertype: 'admin' })
  expect(await removeDemo(app.database, { withOthers: true, removeFolder })).toEqual({ kind: 'none' })
  expect(await countOf('users')).toBe(1)
})
