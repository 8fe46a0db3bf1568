import { randomBytes } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import { inject } from 'vitest'
import { silentLog } from '../log/log.ts'
import { connectDatabase, type Database } from './database.ts'
import { connectionTo } from './test-database-setup.ts'

/** The database of one test file; `close` drops it. */
export type TestDatabase = Database & {
  /** For a server started in a separate process. */
  url: string
}

/** Copies the migrated template, or creates an empty database. Call it in beforeAll, and `close` in afterAll. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const { server, template: migrated } = inject('testDatabase')
  const template = empty ? 'template1' : migrated
  const name = `hansom_test_${randomBytes(6).toString('hex')}`
  await run(server, `create database ${name} template ${template}`)
  const connection = connectionTo(server, name)
  const database = connectDatabase(
    {
      connection: { ...connection, max: 10 },
      description: `test database ${name}`,
      exclusive: true,
      stop: () => run(server, `drop database ${name} with (force)`),
    },
    silentLog(),
  )
  return { ...database, url: urlOf(connection) }
}

/** Runs an action while all other connections of the pool are in use: one that needs two at a time fails. */
export async function withOneConnection<T>(pool: Database['pool'], run: () => Promise<T>): Promise<T> {
  const others = await Promise.all(Array.from({ length: pool.options.max - 1 }, () => pool.connect()))
  try {
    return await run()
  } finally {
    for (const client of others) client.release()
  }
}

function urlOf(connection: ClientConfig): string {
  if (connection.connectionString !== undefined) return connection.connectionString
  return `postgresql://${connection.user}@localhost/${connection.database}?host=${connection.host}`
}

async function run(server: ClientConfig, statement: string): Promise<void> {
  const client = new Client(server)
  await client.connect()
  await client.query(statement)
  await client.end()
}
