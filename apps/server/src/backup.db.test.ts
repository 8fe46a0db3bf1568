import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, type Pool } from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { embeddedStorage } from './adapters/storage/embedded.ts'
import { createSignedLinks } from './adapters/storage/signed-links.ts'
import {
  createBackup,
  isEmptyDatabase,
  type Manifest,
  readManifest,
  restoreBackup,
} from './platform/backup/backup.ts'
import { openForReading } from './platform/database/open-database.ts'
import { createTestDatabase } from './platform/database/test-database.ts'
import { silentLog } from './platform/log/log.ts'
import { secret } from './test-app.ts'
import { builtServer, ServerProcess } from './test-server-process.ts'
import { createTraffic, type Traffic } from './traffic.fixture.ts'

let folder: string
let town: Traffic
let driver: Awaited<ReturnType<Traffic['addDriver']>>
let rider: Awaited<ReturnType<Traffic['add']>>
let photo: Buffer
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hansom-backup-'))
  await mkdir(at('live'))
  await writeFile(at('live/auth-secret'), secret, { mode: 0o600 })
  const links = createSignedLinks({ secret, now: Date.now })
  town = await createTraffic({ storage: await embeddedStorage({ dataDir: at('live'), links }) })
  driver = await town.addDriver('wheel@backup.test')
  rider = await town.add('rider', 'seat@backup.test')
  photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  expect(await upload(rider.bearer, photo)).toBe(200)
  await trip()
})
afterAll(async () => {
  await town.app.close()
  await rm(folder, { recursive: true, force: true })
})

async function upload(authorization: string, bytes: Buffer): Promise<number> {
  const head =
    '--edge\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
  const reply = await town.app.server.inject({
    method: 'PUT',
    url: '/api/v1/me/photo',
    headers: { 'content-type': 'multipart/form-data; boundary=edge', authorization },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]),
  })
  return reply.statusCode
}

/** A trip from its booking to its payment. */
async function trip(): Promise<void> {
  const id = await town.book(rider.bearer)
  const give = async (command: string, body: object = {}) => {
    const reply = await town.call(driver.bearer, 'POST', `/api/v1/bookings/${id}/${command}`, body)
    expect(reply.status, `${command}: ${JSON.stringify(reply.body)}`).toBe(200)
  }
  for (const command of ['accept', 'arrive', 'start', 'reach']) await give(command)
  await give('close', { collected: 'all' })
  await town.delivered()
}

type Place = { DATABASE_URL?: string; DATA_DIR: string }
const live = (): Place => ({ DATABASE_URL: town.app.database.url, DATA_DIR: at('live') })

/** Runs a command of the built server; returns its exit code and what it printed. */
async function command(args: string[], place: Place) {
  const program = join(dirname(await builtServer()), 'commands.js')
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', ...place }
  const child = spawn(process.execPath, [program, ...args], { cwd: '/', env, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const [code] = await once(child, 'close')
  return { code: code as number, output }
}

/** Every constraint, index, trigger and function, and a digest of the rows of every table. */
async function contentOf(client: Pool | Client): Promise<Record<string, string>> {
  const schema = await client.query<{ name: string; text: string }>(
    `select format('constraint %s %s', conrelid::regclass, conname) as name, pg_get_constraintdef(oid) as text
        from pg_constraint where connamespace = 'public'::regnamespace
      union all select 'index ' || indexname, indexdef from pg_indexes where schemaname = 'public'
      union all select format('trigger %s %s', tgrelid::regclass, tgname), tgenabled::text || pg_get_triggerdef(oid)
        from pg_trigger where not tgisinternal
      union all select 'function ' || oid::regprocedure, md5(prosrc) from pg_proc
        where pronamespace = 'public'::regnamespace and probin is null
      union all select 'view ' || viewname, definition from pg_views where schemaname = 'public'`,
  )
  const tables = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname in ('public', 'pgboss') and relkind = 'r' and relname not in ('server_term')`,
  )
  const content = Object.fromEntries(schema.rows.map(({ name, text }) => [name, text]))
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '') as digest from ${name} t`,
    )
    content[`rows ${name}`] = rows[0]?.digest ?? ''
  }
  return content
}

const manifestOf = async (name: string) =>
  JSON.parse(await readFile(at(`${name}/backup.json`), 'utf8')) as Manifest

test('backup of a running server, restored into an empty folder -> starts with the same people, money and pictures', async () => {
  // Trips begin and end while the backup is made.
  let isDone = false
  const backup = command(['backup', at('first')], live()).finally(() => {
    isDone = true
  })
  while (!isDone) await trip()
  const made = await backup
  expect(made.output).toContain('auth-secret')
  expect(made.code).toBe(0)
  expect((await stat(at('first'))).mode & 0o077).toBe(0)
  const { tables, queues } = (await manifestOf('first')).database
  const rows = new Map(tables.map((table) => [table.name, table.rows]))
  expect(rows.get('public.bookings')).toBeGreaterThanOrEqual(1)
  expect(rows.get('public.ledger_entries')).toBeGreaterThanOrEqual(1)
  expect(queues.length).toBeGreaterThan(10)

  const restored = await command(['restore', at('first')], { DATA_DIR: at('new') })
  expect(restored.output).toContain('ledger ok')
  expect(restored.code).toBe(0)
  const { database } = await openForReading({ databaseUrl: undefined, dataDir: at('new') }, silentLog())
  for (const [name, expected] of rows) {
    const counted = await database.pool.query<{ n: number }>(`select count(*)::int as n from ${name}`)
    expect(counted.rows[0]?.n, name).toBe(expected)
  }
  await database.close()

  // Other tests share the prepared map.
  await mkdir(join(tmpdir(), 'hansom-test-maps', 'maps'), { recursive: true })
  await symlink(join(tmpdir(), 'hansom-test-maps', 'maps'), at('new/maps'))
  const server = await ServerProcess.at('')
  try {
    server.launch({ DATA_DIR: at('new'), AUTH_SECRET: '' })
    await server.untilHealthy()
    const bearer = await server.signIn('seat@backup.test')
    const get = async (path: string, authorization: string) =>
      fetch(server.url(path), { headers: { authorization } })
    const original = await town.call(rider.bearer, 'GET', '/api/v1/me')
    const stored = await town.app.server.inject({
      url: original.body.profile_image,
      headers: { authorization: rider.bearer },
    })
    expect(stored.headers['content-type']).toContain('image/')
    // The session of before is still signed with the same secret.
    for (const authorization of [bearer, rider.bearer]) {
      const me = (await (await get('/api/v1/me', authorization)).json()) as { profile_image: string }
      const image = await get(me.profile_image, authorization)
      expect(image.status, JSON.stringify(me)).toBe(200)
      expect(Buffer.from(await image.arrayBuffer()).equals(stored.rawPayload)).toBe(true)
    }
    const list = (await (await get('/api/v1/bookings', bearer)).json()) as { items: unknown[] }
    expect(list.items.length).toBeGreaterThanOrEqual(1)
    // While it runs, its database is not replaced.
    const refused = await command(['restore', at('first'), '--overwrite'], { DATA_DIR: at('new') })
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('in use by another server')])
  } finally {
    await server.end('SIGTERM')
  }
}, 240_000)

test('restored into another database -> every row, constraint, index, trigger and function is the same', async () => {
  const other = await createTestDatabase({ empty: true })
  // A pool would count as a server.
  const client = new Client(other.url)
  await client.connect()
  const place = { DATABASE_URL: other.url, DATA_DIR: at('elsewhere') }
  try {
    const restored = await command(['restore', at('first')], place)
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('ledger ok')])
    const [copy, source] = [await contentOf(client), await contentOf(town.app.database.pool)]
    const schemaOf = (content: Record<string, string>) =>
      Object.fromEntries(Object.entries(content).filter(([name]) => !name.startsWith('rows ')))
    expect(Object.keys(schemaOf(copy)).length).toBeGreaterThan(400)
    expect(schemaOf(copy)).toEqual(schemaOf(source))
    expect(Object.keys(copy).toSorted()).toEqual(Object.keys(source).toSorted())
    // What has not changed since the backup.
    for (const name of ['auth_users', 'auth_accounts', 'car_types', 'settings'])
      expect([name, copy[`rows public.${name}`]]).toEqual([name, source[`rows public.${name}`]])
    // Ids go on after those of the backup.
    const { sequences } = (await manifestOf('first')).database
    const last = Number(sequences.find(({ name }) => name === 'public.outbox_id_seq')?.value)
    const added = await client.query<{ id: string }>(
      `insert into outbox (at, kind, payload) values (1, 'x', '{}') returning id`,
    )
    expect(Number(added.rows[0]?.id)).toBe(last + 1)
    const again = await command(['restore', at('first')], place)
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('--overwrite')])
    expect((await client.query(`select from outbox where kind = 'x'`)).rowCount).toBe(1)
  } finally {
    await client.end()
    await other.close()
  }
}, 120_000)

test('backup that is newer, damaged, incomplete or not one -> refused, and says why', async () => {
  const changed = at('changed')
  await cp(at('first'), changed, { recursive: true })
  const manifest = await manifestOf('changed')
  const reading = async (changes: object) => {
    await writeFile(join(changed, 'backup.json'), JSON.stringify({ ...manifest, ...changes }))
    return readManifest(changed)
  }
  await expect(reading({ format: 99 })).rejects.toThrow('newer version')
  await expect(reading({ database: [] })).rejects.toThrow('damaged')
  await expect(readManifest(at('nothing'))).rejects.toThrow('no complete backup')
  const source = { database: town.app.database, dataDir: at('live'), version: '1' }
  await expect(createBackup(source, changed)).rejects.toThrow('exists already')

  const database = await createTestDatabase({ empty: true })
  try {
    await database.pool.query('create table precious ()')
    const target = { database, dataDir: at('never') }
    const later = { ...manifest.database, migrations: [...manifest.database.migrations, 'a later one'] }
    await expect(restoreBackup(target, changed, { ...manifest, database: later })).rejects.toThrow(
      'Install that version',
    )
    expect(await isEmptyDatabase(database)).toBe(false)
    const bookings = manifest.database.tables.find(({ name }) => name === 'public.bookings')?.file ?? ''
    await truncate(join(changed, 'database', bookings), 40)
    await expect(restoreBackup(target, changed, manifest)).rejects.toThrow('cannot be read completely')
    expect((await database.pool.query('select from users')).rowCount).toBe(0)
    await rm(join(changed, 'database', bookings))
    await expect(reading({})).rejects.toThrow('is missing')
  } finally {
    await database.close()
  }
}, 120_000)
