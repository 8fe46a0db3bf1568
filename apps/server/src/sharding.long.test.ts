import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { straightMaps } from './features/bookings/straight-city.fixture.ts'
import { checkLedger, isConsistent } from './features/ledger-check/check-ledger.ts'
import { createBackup, restoreBackup } from './platform/backup/backup.ts'
import { createTestDatabase, type TestDatabase } from './platform/database/test-database.ts'
import { createTestApp, type TestApp } from './test-app.ts'
import { createTraffic, type Traffic } from './traffic.fixture.ts'

/** A shard: the servers of a city, with a database and a secret of their own. */
type Shard = { town: Traffic; database: TestDatabase; rider: Person; driver: Person }
type Person = { id: string; bearer: string }
type Call = Traffic['call']

const secrets = { north: 'n'.repeat(40), south: 's'.repeat(40) }
let folder: string
let north: Shard
let south: Shard

async function open(city: keyof typeof secrets): Promise<Shard> {
  const database = await createTestDatabase()
  // Stopping the servers of a city does not drop its database.
  const town = await createTraffic({
    database: { ...database, close: async () => {} },
    authSecret: secrets[city],
  })
  const driver = await town.addDriver(`driver@${city}.test`)
  return { town, database, driver, rider: await town.add('rider', `rider@${city}.test`) }
}

async function give(call: Call, bearer: string, id: string, commands: string[]): Promise<void> {
  for (const command of commands) {
    const body = command === 'close' ? { collected: 'all' } : {}
    const reply = await call(bearer, 'POST', `/api/v1/bookings/${id}/${command}`, body)
    expect(reply.status, `${command}: ${JSON.stringify(reply.body)}`).toBe(200)
  }
}

const bookingsOf = async ({ pool }: TestDatabase) =>
  (await pool.query<{ id: string; status: string }>('select id, status from bookings order by id')).rows

async function expectSoundBooks({ pool }: TestDatabase): Promise<number> {
  const check = await checkLedger(pool)
  expect(isConsistent(check)).toBe(true)
  expect(check.sum).toBe(0)
  return check.entries
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hansom-shards-'))
  north = await open('north')
  south = await open('south')
})
afterAll(async () => {
  await south.town.app.close()
  await north.database.close()
  await south.database.close()
  await rm(folder, { recursive: true, force: true })
})

test('two shards at a time -> each has its own people, trips and books', async () => {
  const ids = await Promise.all(
    [north, south].map(async ({ town, rider, driver }) => {
      const id = await town.book(rider.bearer)
      await give(town.call, driver.bearer, id, ['accept', 'arrive', 'start', 'reach', 'close'])
      await town.delivered()
      return id
    }),
  )
  for (const [index, { database }] of [north, south].entries()) {
    expect(await bookingsOf(database)).toEqual([{ id: ids[index], status: 'PAID' }])
    expect(await expectSoundBooks(database)).toBeGreaterThan(0)
  }
  // A session of one shard is none in the other, also if a balancer sends it there.
  expect((await south.town.call(north.rider.bearer, 'GET', '/api/v1/bookings')).status).toBe(401)
})

test('a shard moves to another database during a trip -> the trip ends there, the books are sound, the other is unchanged', async () => {
  const id = await north.town.book(north.rider.bearer)
  await give(north.town.call, north.driver.bearer, id, ['accept', 'arrive', 'start'])
  await north.town.app.close()
  const before = await expectSoundBooks(north.database)
  const others = await bookingsOf(south.database)

  const backup = join(folder, 'north')
  const manifest = await createBackup(
    { database: north.database, dataDir: join(folder, 'old'), version: '1' },
    backup,
  )
  const moved = await createTestDatabase({ empty: true })
  let app: TestApp | undefined
  try {
    await restoreBackup({ database: moved, dataDir: join(folder, 'new') }, backup, manifest)
    expect(await bookingsOf(moved)).toEqual(await bookingsOf(north.database))
    app = await createTestApp({
      maps: straightMaps(),
      database: { ...moved, close: async () => {} },
      authSecret: secrets.north,
    })
    const { server } = app
    await app.start()
    const call: Call = async (bearer, method, url, payload) => {
      const reply = await server.inject({
        method,
        url,
        headers: { authorization: bearer },
        ...(payload && { payload }),
      })
      return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
    }
    // Their sessions go on.
    await give(call, north.driver.bearer, id, ['reach', 'close'])
    expect((await bookingsOf(moved)).map(({ status }) => status)).toEqual(['PAID', 'PAID'])
    await expect.poll(() => expectSoundBooks(moved)).toBeGreaterThan(before)
    expect(await bookingsOf(south.database)).toEqual(others)
  } finally {
    await app?.close()
    await moved.close()
  }
}, 60_000)
