import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryFolder } from '@hansom/doubles/memory-folder'
import { Client, type ClientConfig } from 'pg'
import type { TestProject } from 'vitest/node'
import { installJobs } from '../jobs/jobs.ts'
import { silentLog } from '../log/log.ts'
import { connectDatabase } from './database.ts'
import { embeddedUser } from './embedded/data-folder.ts'
import { type EmbeddedServer, startEmbeddedServer } from './embedded/embedded-server.ts'
import { isRunning } from './embedded/process-user.ts'
import { migrate } from './migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testDatabase: { server: ClientConfig; template: string }
  }
}

const prefix = 'hansom-test-'
/** A run uses some 0.2 GB, and its write-ahead log may grow to 1 GB. */
const enoughBytes = 2 * 2 ** 30

/**
 * Runs once per test run: provides a server (the one at DATABASE_URL, or an embedded one in a temporary folder) and one
 * migrated database, which every test file copies.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.DATABASE_URL
  const embedded = url === undefined ? await startTemporaryServer() : undefined
  const server: ClientConfig =
    embedded === undefined
      ? { connectionString: url }
      : { host: embedded.server.socketFolder, user: embeddedUser, database: 'postgres' }
  const template = `hansom_test_template_${process.pid}`
  await run(server, `drop database if exists ${template}`, `create database ${template}`)
  const connection = connectionTo(server, template)
  const database = connectDatabase({ connection, description: template, exclusive: true }, silentLog())
  await migrate(database)
  await installJobs(database)
  await database.close()
  project.provide('testDatabase', { server, template })
  return async () => {
    if (embedded === undefined) return run(server, `drop database ${template}`)
    await embedded.server.stop()
    await rm(embedded.folder, { recursive: true, force: true })
  }
}

/** Returns the connection to another database of the same server. */
export function connectionTo(server: ClientConfig, name: string): ClientConfig {
  if (server.connectionString === undefined) return { ...server, database: name }
  const url = new URL(server.connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}

async function run(server: ClientConfig, ...statements: string[]): Promise<void> {
  const client = new Client(server)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

async function startTemporaryServer(): Promise<{ server: EmbeddedServer; folder: string }> {
  const parent = await memoryFolder(enoughBytes)
  await removeLeftOvers(parent)
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  await chmod(folder, 0o755)
  // Durability is off: no data has to survive the run.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
    log_min_duration_statement: '-1',
  }
  return { server: await startEmbeddedServer({ dataDir: folder, settings, detached: false }), folder }
}

/** Removes the databases of killed runs. */
async function removeLeftOvers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    // Other tests create folders with a similar prefix.
    const maker = /^(\d+)-/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '')?.[1]
    if (maker === undefined || isRunning(Number(maker))) continue
    const folder = join(parent, name)
    const server = await startEmbeddedServer({ dataDir: folder, detached: false }).catch(() => undefined)
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
