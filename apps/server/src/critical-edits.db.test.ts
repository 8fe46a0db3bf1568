import { plainRoutes, type RouteName, type RouteRule, routes } from '@hansom/domain/access/routes'
import type { ErrorKey } from '@hansom/domain/error-keys'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCarType, createScene, type Scene } from './access-scene.fixture.ts'
import { loadConfig } from './config.ts'
import { straightMaps } from './features/bookings/straight-city.fixture.ts'
import { type ContractRoute, contractRoutes } from './platform/http/implement.ts'
import { createTestApp, type TestApp } from './test-app.ts'

const secret = 'the secret of the critical edits test'
const plenty = 1e6
let app: TestApp
let scene: Scene
let carType: string
beforeAll(async () => {
  app = await createTestApp({
    category: 'delivery',
    config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: true },
    maps: straightMaps(),
    authSecret: secret,
    limits: { all: plenty, signIn: plenty, places: plenty, offers: plenty, setup: plenty },
  })
  carType = await createCarType(app.database)
})
afterAll(() => app.close())
// Some of the tested routes end sessions.
beforeEach(async () => {
  scene = await createScene(app.database, secret, { carType, isAssigned: true })
})

const allow = (AllowCriticalEditsAdmin: boolean) =>
  app.database.withTransaction((tx) => app.services.settings.update(tx, { AllowCriticalEditsAdmin }))

type CallerName = 'visitor' | 'otherRider' | 'admin'

/** Calls a route with an empty input and missing ids. */
async function ask({ method, path }: Pick<ContractRoute, 'method' | 'path'>, caller: CallerName) {
  const answer = await app.server.inject({
    method: method as 'GET',
    url: path.replace(/\{\w+\}|:\w+|\*/g, uuidv7()),
    headers: caller === 'visitor' ? {} : { authorization: scene.bearers[caller] },
    ...(method === 'GET' ? {} : { payload: {} }),
  })
  const isJson = String(answer.headers['content-type']).includes('json')
  const body = isJson ? (answer.json() as { error?: ErrorKey } | null) : null
  return { status: answer.statusCode, error: body?.error ?? null }
}

const plain = Object.entries<RouteRule>(plainRoutes).map(([address, rule]) => {
  const [method = '', path = ''] = address.split(' ')
  return { name: address, method: method as ContractRoute['method'], path, rule }
})
const every = [...contractRoutes().map((route) => ({ ...route, rule: ruleOf(route.name) })), ...plain]

function ruleOf(name: string): RouteRule {
  return routes[name as RouteName]
}

describe('critical commands', () => {
  /** Expected criticality of commands by name. Reads are never critical. */
  const guarded: [RegExp, boolean][] = [
    [/^carTypes\./, true],
    [/^cancelReasons\./, true],
    [/^languages\./, true],
    [/^settings\./, true],
    [/^dispatchRules\.remove$/, true],
    [/^dispatchRules\./, false],
    [/^promos\.remove$/, true],
    [/^promos\./, false],
    [/^pushNotifications\.(create|send)$/, true],
    [/^pushNotifications\./, false],
    [/^users\.(create|remove|change_type|correct_contact)$/, true],
    [/^users\./, false],
    [/^wallet\.(credit|debit|reverseAdjustment|receiveCash|reverseCash|bankCash|waive)$/, true],
    [/^wallet\./, false],
    [/^withdraws\.(process|refuse|requestFor)$/, true],
    [/^withdraws\./, false],
    // Moves money, like crediting a wallet.
    [/^refunds\./, true],
    [/^failedWork\./, true],
    // Shows what two people wrote to each other.
    [/^chats\.read$/, true],
    // Cancelling is critical by caller; drivers may always cancel.
    [/^bookings\./, false],
  ]
  const commands = contractRoutes().filter(({ method }) => method !== 'GET')

  test.each(commands.map(({ name }) => name))('%s', (name) => {
    const [, isCritical = false] = guarded.find(([pattern]) => pattern.test(name)) ?? []
    expect(ruleOf(name).critical ?? false).toBe(isCritical)
  })

  test('reads -> not critical', () => {
    const reading = contractRoutes().filter(({ method }) => method === 'GET')
    expect(reading.filter(({ name }) => ruleOf(name).critical)).toEqual([])
  })
})

describe.each(every)('$name', (route) => {
  test('critical edits disabled -> demo_mode after the permission check, for critical commands only', async () => {
    const { critical = false } = route.rule
    await allow(true)
    const before = await Promise.all(
      (['visitor', 'otherRider', 'admin'] as const).map((who) => ask(route, who)),
    )
    expect(before.map(({ error }) => error)).not.toContain('demo_mode')

    await allow(false)
    const [visitor, rider, admin] = await Promise.all(
      (['visitor', 'otherRider', 'admin'] as const).map((who) => ask(route, who)),
    )
    if (critical) {
      expect(admin).toEqual({ status: 403, error: 'demo_mode' })
      // Callers without permission learn nothing about the mode.
      expect([visitor, rider]).toEqual(before.slice(0, 2))
    } else {
      expect([visitor, rider, admin].map((answer) => answer?.error)).not.toContain('demo_mode')
    }
  })
})

test('users.update: critical edits disabled -> allowed', async () => {
  await allow(false)
  const answer = await app.server.inject({
    method: 'PATCH',
    url: `/api/v1/users/${scene.ids.driver}`,
    headers: { authorization: scene.bearers.admin },
    payload: { vehicleNumber: 'SDX 4021', version: 1 },
  })
  expect([answer.statusCode, answer.json().vehicleNumber]).toEqual([200, 'SDX 4021'])
})
