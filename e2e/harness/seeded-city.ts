import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { copyWhole, launchServer } from './server-process.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The data folder of a demo that was started once and has stopped in good order. */
    seededCity: string
  }
}

/** A demo starts for the first time once; each journey goes on from a copy of what that has made. */
export default async function seedCity(project: TestProject): Promise<() => Promise<void>> {
  const city = await mkdtemp(join(tmpdir(), 'hansom-e2e-city-'))
  const server = await launchServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' }, null)
  await server.stop()
  await untilDatabaseIsGone(server.dataDir)
  await copyWhole(server.dataDir, city)
  await server.close()
  project.provide('seededCity', city)
  return () => rm(city, { recursive: true, force: true })
}

/** On a busy machine the database takes its last file away a moment after the server has gone. */
async function untilDatabaseIsGone(dataDir: string): Promise<void> {
  const giveUpAt = Date.now() + 30_000
  while (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) {
    if (Date.now() > giveUpAt) throw new Error('The database has not stopped with its server')
    await wait(50)
  }
}
