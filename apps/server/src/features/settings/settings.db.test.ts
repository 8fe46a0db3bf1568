import { afterAll, beforeAll, expect, type Mock, test, vi } from 'vitest'
import type { Region } from '../../adapters/maps/port.ts'
import { loadConfig } from '../../config.ts'
import { type Log, silentLog } from '../../platform/log/log.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { storeInstallation } from './service.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const read = async () => (await app.server.inject({ url: '/api/v1/settings' })).json()

test('new installation -> built-in settings and its city', async () => {
  expect(await read()).toMatchObject({
    appName: 'Hansom',
    otp_secure: true,
    demo: false,
    version: 0,
    region: { name: 'Montevideo', countries: ['UY'], attribution: expect.stringContaining('OpenStreetMap') },
  })
})

test('public settings -> nothing that visitors need not know', async () => {
  const settings = await read()
  expect(settings).not.toHaveProperty('negativeBalance')
  expect(settings).not.toHaveProperty('dispatch')
})

test('change -> effective immediately, published after commit, other fields unchanged', async () => {
  const told: number[] = []
  app.services.settings.onChange((settings) => told.push(settings.version))
  await app.database.withTransaction(async (tx) => {
    await app.services.settings.update(tx, { appName: 'Cab', decimal: 2 })
    expect(told).toEqual([])
  })
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { appName: 'Cabs' }))
  expect(told).toEqual([1, 2])
  expect(await read()).toMatchObject({ appName: 'Cabs', decimal: 2, code: 'UYU', version: 2 })
})

test('change rolled back -> no effect', async () => {
  const failing = app.database.withTransaction(async (tx) => {
    await app.services.settings.update(tx, { appName: 'Never' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect((await read()).appName).not.toBe('Never')
})

const andorra = { countryCode: 'AD', timezone: 'Europe/Andorra', currency: 'EUR', languages: ['ca'] }
const mapsOf = (facts: typeof andorra & { otherCountries?: string[] }) => ({
  region: facts as unknown as Region,
})

test('region: first start -> currency, country and time zone stored; later map -> unchanged', async () => {
  const other = await createTestApp()
  const { settings } = other.services
  const start = (facts: typeof andorra) =>
    storeInstallation({ database: other.database, settings, maps: mapsOf(facts), log: silentLog() }, 'taxi')
  await start(andorra)
  const first = await settings.current()
  expect(first).toMatchObject({ code: 'EUR', symbol: '€', country: 'AD', timezone: 'Europe/Andorra' })
  await start({ ...andorra, countryCode: 'LI', currency: 'CHF', timezone: 'Europe/Vaduz' })
  expect(await settings.current()).toEqual(first)
  await other.close()
})

test('region: first start with regions of two countries -> search is not limited to one', async () => {
  const other = await createTestApp()
  const { database, services } = other
  const maps = mapsOf({ ...andorra, otherCountries: ['AD', 'ES'] })
  await storeInstallation({ database, settings: services.settings, maps, log: silentLog() }, 'taxi')
  expect(await services.settings.current()).toMatchObject({ country: 'AD', restrictCountry: '' })
  await other.close()
})

test('region: map of a second country beside one that search is limited to -> warning at the start', async () => {
  const log = { ...silentLog(), warn: vi.fn() } as unknown as Log & { warn: Mock }
  const other = await createTestApp()
  const start = (facts: typeof andorra & { otherCountries?: string[] }) =>
    storeInstallation(
      { database: other.database, settings: other.services.settings, maps: mapsOf(facts), log },
      'taxi',
    )
  await start(andorra)
  await start(andorra)
  expect(log.warn).not.toHaveBeenCalled()
  await start({ ...andorra, otherCountries: ['LI'] })
  expect(log.warn).toHaveBeenCalledWith({ limit: 'AD', others: ['LI'] }, expect.stringContaining('limit'))
  await other.close()
})

test('category: first start -> stored; different one later -> ignored with a warning', async () => {
  const log = { ...silentLog(), warn: vi.fn() } as unknown as Log & { warn: Mock }
  const other = await createTestApp({
    config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: false, category: 'delivery' },
  })
  const { settings } = other.services
  const category = async () => (await other.server.inject({ url: '/api/v1/settings' })).json().category
  expect(await category()).toBe('taxi')
  await other.start()
  expect(await category()).toBe('delivery')
  const maps = mapsOf({ ...andorra, countryCode: 'UY' })
  const deps = { database: other.database, settings, maps, log }
  const { version } = await settings.current()
  await storeInstallation(deps, 'delivery')
  expect(log.warn).not.toHaveBeenCalled()
  await storeInstallation(deps, 'taxi')
  expect(log.warn).toHaveBeenCalledOnce()
  expect(await category()).toBe('delivery')
  expect((await settings.current()).version).toBe(version)
  await other.close()
})

test('clock -> current time and speed', async () => {
  const { now, speed } = (await app.server.inject({ url: '/api/v1/clock' })).json()
  expect(speed).toBe(1)
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000)
})

test('health: database available -> 200', async () => {
  expect((await app.server.inject({ url: '/healthz' })).statusCode).toBe(200)
})
