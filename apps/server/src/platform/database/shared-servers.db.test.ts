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

test('server of a newer version beside running ones -> stands by until all have stopped', async () => {
  const newest = 'select max(id) from drizzle.__drizzle_migrations'
  const { rows } = await outer.pool.query(
    `delete from drizzle.__drizzle_migrations where id = (${newest}) returning *`,
  )
  await outer.pool.query(
    `insert into servers (id, name, since, renewed_at) values ($1, 'older', 0, (extract(epoch from now()) * 1000)::bigint + 60000)`,
    [randomUUID()],
  )
  const place = { databaseUrl: outer.url, dataDir: '/nowhere', redisUrl: 'redis://127.0.0.1' }
  const { database, lock } = await openForServer(place, silentLog())
  let isTaken = false
  const taking = lock.take().then(() => {
    isTaken = true
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(isTaken).toBe(false)
  await outer.pool.query(`delete from servers where name = 'older'`)
  await taking
  await lock.release()
  await database.close()
  const { hash, created_at } = rows[0]
  await outer.pool.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    hash,
    created_at,
  ])
})
