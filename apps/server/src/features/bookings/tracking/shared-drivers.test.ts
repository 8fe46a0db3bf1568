import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { embeddedDriverIndex } from '../../../adapters/driver-index/embedded.ts'
import { TestNetwork } from '../../../adapters/server-bus/test-network.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { ActiveTrips, DriverContacts } from './active-trips.ts'
import { type DriverRow, putDrivers } from './index-drivers.ts'
import { SharedDrivers } from './shared-drivers.ts'

const rows = Array.from({ length: 5_000 }, (_, number): DriverRow => {
  const id = `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`
  const place = { lat: -34.9, lng: -56.1, bearing: null, at: number }
  return { id, usertype: 'driver', approved: true, queue: false, active: true, car_type_id: null, ...place }
})

test('many drivers are put into the index -> other work goes on meanwhile', async () => {
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const change = { ids: rows.map(({ id }) => id), rows }
  await putDrivers({ index: embeddedDriverIndex(), clock: systemClock }, change)
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(4)
})

test('reading a large city takes longer than a pause -> it is read once', async () => {
  let readings = 0
  const query = async ({ text = '' }: { text?: string }) => {
    if (text !== '') return { rows: [] }
    readings++
    for (const end = performance.now() + 1_700; performance.now() < end; );
    return { rows: [] }
  }
  const drivers = new SharedDrivers({
    bus: new TestNetwork().join(),
    pool: { query } as unknown as Pool,
    driverIndex: embeddedDriverIndex(),
    clock: systemClock,
    log: silentLog(),
    trips: new ActiveTrips(),
    contacts: new DriverContacts(systemClock),
  })
  await drivers.load()
  const once = readings
  await new Promise((resolve) => setTimeout(resolve, 600))
  drivers.stop()
  expect(readings).toBe(once)
})
