import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  await copyWhole(server.dataDir, city)
  await server.close()
  project.provide('seededCity', city)
  return () => rm(city, { recursive: true, force: true })
}
