import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@hansom/client/client'
import type { TestProject } from 'vitest/node'
import { accounts } from './accounts.ts'
import { copyFolder, createDataFolder, launchServer, removeLeftOvers } from './server-process.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The data folder of a demo that was started once and stopped cleanly. */
    seededCity: string
    /** The project `delivery-e2e` runs journeys that are the same in both categories with deliveries. */
    category: 'delivery'
  }
}

/** Seeds the demo once; each journey starts from a copy of its data. */
export default async function seedCity(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftOvers()
  const city = await createDataFolder()
  const { category } = project.getProvidedContext()
  const empty = { DEMO_DRIVERS: '0', DEMO_RIDERS: '0' }
  const server = await launchServer({ ...empty, ...(category && { CATEGORY: category }) }, null)
  if (category) await allowPlainDeliveries(server.url)
  await server.stop()
  await untilDatabaseIsGone(server.dataDir)
  await copyFolder(server.dataDir, city)
  await server.close()
  project.provide('seededCity', city)
  return () => rm(city, { recursive: true, force: true })
}

/** Deliveries may be paid in cash, as trips are, and need no proofs, which journeys of their own test. */
async function allowPlainDeliveries(url: string): Promise<void> {
  const client = createClient({ url })
  await client.signIn(accounts.admin, 'demo2026')
  const { version } = await client.api.settings.all()
  await client.api.settings.update({
    version,
    deliveryCash: true,
    deliveryCode: false,
    deliveryName: false,
    AllowDeliveryPickupImageCapture: false,
    AllowFinalDeliveryImageCapture: false,
  })
}

/** On a slow machine the database removes its last file shortly after the server has exited. */
async function untilDatabaseIsGone(dataDir: string): Promise<void> {
  const deadline = Date.now() + 30_000
  while (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) {
    if (Date.now() > deadline) throw new Error('the database did not stop with its server')
    await wait(50)
  }
}
