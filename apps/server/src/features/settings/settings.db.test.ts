import { afterAll, beforeAll, expect, type Mock, test, vi } from 'vitest'
import { loadConfig } from '../../config.ts'
import { type Log, silentLog } from '../../platform/log/log.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { settleCategory } from './category.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const read = async () => (await app.server.inject({ url: '/api/v1/settings' })).json()

test('a new installation has the built-in settings and its city', async () => {
  expect(await read()).toMatchObject({
    appName: 'Hansom',
    otp_secure: true,
    demo: false,
    version: 0,
    region: { name: 'Montevideo', attribution: expect.stringContaining('OpenStreetMap') },
  })
})

test('what visitors need not know is not sent', async () => {
  const settings = await read()
  expect(settings).not.toHaveProperty('negativeBalance')
  expect(settings).not.toHaveProperty('dispatch')
})

test('a change counts at once, is told after commit, and leaves the rest alone', async () => {
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

test('a change that is not committed never was', async () => {
  const failing = app.database.withTransaction(async (tx) => {
    await app.services.settings.update(tx, { appName: 'Never' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect((await read()).appName).not.toBe('Never')
})

test('the category is written down at the first start; another one later changes nothing and is warned of', async () => {
  const log = { ...silentLog(), warn: vi.fn() } as unknown as Log & { warn: Mock }
  const other = await createTestApp({
    config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: false, category: 'delivery' },
  })
  const { settings } = other.services
  const category = async () => (await other.server.inject({ url: '/api/v1/settings' })).json().category
  expect(await category()).toBe('taxi')
  await other.start()
  expect(await category()).toBe('delivery')
  const deps = { database: other.database, settings, log }
  const { version } = await settings.current()
  await settleCategory(deps, 'delivery')
  expect(log.warn).not.toHaveBeenCalled()
  await settleCategory(deps, 'taxi')
  expect(log.warn).toHaveBeenCalledOnce()
  expect(await category()).toBe('delivery')
  expect((await settings.current()).version).toBe(version)
  await other.close()
})

test('the clock', async () => {
  const { now, speed } = (await app.server.inject({ url: '/api/v1/clock' })).json()
  expect(speed).toBe(1)
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000)
})

test('the server answers while its database does', async () => {
  expect((await app.server.inject({ url: '/healthz' })).statusCode).toBe(200)
})

test('the contract is described for others', async () => {
  const document = (await app.server.inject({ url: '/openapi.json' })).json()
  expect(document.openapi).toBe('3.1.1')
  expect(
    document.paths['/googleapis-getroute'].post.responses.default.content['application/json'],
  ).toBeDefined()
})
