import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { migrate } from './migrate.ts'
import { openForServer } from './open-database.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let outer: TestDatabase
const name = `hansom_empty_${randomUUID().slice(0, 8)}`
beforeAll(async () => {
  outer = await createTestDatabase()
  await outer.pool.query(`create database ${name} template template0`)
})
afterAll(async () => {
  await outer.pool.query(`drop database ${name} with (force)`)
  await outer.close()
})

test('two servers that share an empty database -> both join once it is migrated', async () => {
  const url = new URL(outer.url)
  url.pathname = `/${name}`
  const place = { databaseUrl: url.href, dataDir: '/nowhere', redisUrl: 'redis://127.0.0.1' }
  const servers = [await openForServer(place, silentLog()), await openForServer(place, silentLog())]
  await Promise.all(
    servers.map(async ({ database, lock }) => {
      await lock.take()
      await migrate(database)
      await lock.beginTerm()
    }),
  )
  expect(servers.map(({ lock }) => lock.isHeld())).toEqual([true, true])
  const { rows } = await (servers[0]?.database.pool.query('select count(*)::int as n from servers') ?? {
    rows: [],
  })
  expect(rows).toEqual([{ n: 2 }])
  for (const { database } of servers) await database.close()
})
