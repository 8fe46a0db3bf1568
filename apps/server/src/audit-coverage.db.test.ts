import { readFileSync } from 'node:fs'
import { newCarType } from '@hansom/contract/car-types'
import { newDispatchRule } from '@hansom/contract/dispatch-rules'
import { newPromo } from '@hansom/contract/promos'
import { newPushNotification } from '@hansom/contract/push-notifications'
import { type RouteName, routes } from '@hansom/domain/access/routes'
import { auditedRoutes, sideEffectFreeRoutes, verbOf } from '@hansom/domain/audit/audited-routes'
import { auditLines, fieldKeys } from '@hansom/domain/audit/field-values'
import { type AuditKind, kindOfRoute } from '@hansom/domain/audit/record-kinds'
import { settingFields } from '@hansom/domain/settings/fields'
import { fieldsWrittenBy } from '@hansom/domain/users/field-views'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCarType, createScene, type Scene } from './access-scene.fixture.ts'
import { auditSamples } from './audit-samples.fixture.ts'
import { loadConfig } from './config.ts'
import { straightMaps } from './features/bookings/straight-city.fixture.ts'
import { contractRoutes } from './platform/http/implement.ts'
import { createTestApp, type TestApp } from './test-app.ts'

const secret = 'the secret of the audit test'
const plenty = 1e6
const packs = new URL('../../../packages/domain/src/languages/packs/en/', import.meta.url)
const isText = (key: string) => {
  const [group, name = ''] = key.split('.')
  return name in JSON.parse(readFileSync(new URL(`${group}.json`, packs), 'utf8'))
}
let app: TestApp
let carType: string
let scene: Scene
beforeAll(async () => {
  app = await createTestApp({
    category: 'delivery',
    config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: false },
    maps: straightMaps(),
    authSecret: secret,
    limits: { all: plenty, signIn: plenty, places: plenty, offers: plenty, setup: plenty },
  })
  carType = await createCarType(app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  scene = await createScene(app.database, secret, { carType, isAssigned: true })
  // Without cancel reasons, any text is accepted.
  await app.database.pool.query('delete from cancel_reasons')
})

interface LogRow {
  kind: AuditKind
  by_user: string
  action: string
  subject: string
  label: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}
/** Rows in the log by the scene's admins, or by `by`. */
const logged = async (action: string, by?: string) => {
  const people = by === undefined ? [scene.ids.admin, scene.ids.fleetadmin] : [by]
  const text = 'select * from audit_log where action = $1 and by_user = any($2) order by id'
  return (await app.database.pool.query<LogRow>(text, [action, people])).rows
}

const methods = new Map(contractRoutes().map(({ name, method }) => [name, method]))

const written: [AuditKind, string[]][] = [
  ['settings', Object.keys(settingFields)],
  ['user', fieldsWrittenBy('fleetadmin', 'admin')],
  ['car_type', Object.keys(newCarType.shape)],
  ['promo', Object.keys(newPromo.shape)],
  ['dispatch_rule', Object.keys(newDispatchRule.shape)],
  ['notification', Object.keys(newPushNotification.shape)],
]
test.each(written)('%s: every field that an admin writes -> named by a text', (kind, fields) => {
  expect(fields.filter((field) => !fieldKeys(kind, field).some(isText))).toEqual([])
})

test('audited routes: admin routes -> exactly the writing ones', () => {
  const isAudited = (name: string) => auditedRoutes.includes(name as RouteName)
  const rules = Object.entries<object>(routes).filter(([, rule]) => /admin/.test(JSON.stringify(rule)))
  const wrong = rules.filter(
    ([name]) => isAudited(name) === (methods.get(name) === 'GET') && !sideEffectFreeRoutes.includes(name),
  )
  expect(wrong.map(([name]) => name)).toEqual([])
})

describe.each(auditedRoutes)('%s', (name) => {
  test('done -> one row in the audit log; refused -> none', async () => {
    const sample = auditSamples[name]
    if (sample === undefined) throw new Error(`add a sample for ${name} to audit-samples.fixture.ts`)
    const input = await sample({ app, scene, carType })
    const route = contractRoutes().find((one) => one.name === name)
    if (route === undefined) throw new Error(`${name} is not in the contract`)
    const { by = 'admin', ...rest } = { ...input.body } as Record<string, unknown>
    const send = (authorization: string | undefined) =>
      app.server.inject({
        method: route.method as 'POST',
        url: route.path.replace(/\{(\w+)\}/g, (_part, field: string) => String(input.path?.[field])),
        headers: { ...(authorization ? { authorization } : {}), 'idempotency-key': `sample-${name}` },
        payload: rest,
      })

    if (name !== 'setup.create') {
      await send(scene.bearers.otherRider)
      expect(await logged(name)).toEqual([])
    }
    const answer = await send(name === 'setup.create' ? undefined : scene.bearers[by as 'admin'])
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    const rows = await logged(name, name === 'setup.create' ? answer.json().uid : scene.ids.admin)
    expect(rows).toHaveLength(1)
    const [row] = rows as [LogRow]
    expect(row.label).not.toBe('')
    if (row.before !== null && row.after !== null) expect(row.before).not.toEqual(row.after)
    const text = JSON.stringify([row.before, row.after])
    expect(text).not.toMatch(/password|token|secret|hash/i)
    expect(kindOfRoute(name)).toBe(row.kind)
    const fields = auditLines(row.before, row.after).map(({ field }) => field)
    expect(fields.filter((field) => !fieldKeys(row.kind, field).some(isText))).toEqual([])
    expect(isText(`audit.verb_${verbOf(name)}`), `verb ${name}`).toBe(true)
  })
})

test('audit: command of a rider or driver -> no row', async () => {
  const send = (url: string, authorization: string, payload = {}) =>
    app.server.inject({ method: 'POST', url, headers: { authorization }, payload })
  const { booking, bearers } = scene
  expect((await send(`/api/v1/bookings/${booking}/arrive`, bearers.driver)).statusCode).toBe(200)
  const cancelled = await send(`/api/v1/bookings/${booking}/cancel`, bearers.rider, {
    reason: 'My plans changed',
  })
  expect(cancelled.statusCode, cancelled.body).toBe(200)
  const { rows } = await app.database.pool.query('select 1 from audit_log where subject = $1', [booking])
  expect(rows).toEqual([])
})

test('audit: edit by a fleet admin -> row with their id', async () => {
  const answer = await app.server.inject({
    method: 'PATCH',
    url: `/api/v1/users/${scene.ids.driver}`,
    headers: { authorization: scene.bearers.fleetadmin },
    payload: { vehicleNumber: 'SDX 4021', version: 1 },
  })
  expect(answer.statusCode).toBe(200)
  const rows = (await logged('users.update')).filter(({ subject }) => subject === scene.ids.driver)
  expect(rows).toMatchObject([
    { by_user: scene.ids.fleetadmin, before: { vehicleNumber: null }, after: { vehicleNumber: 'SDX 4021' } },
  ])
})

test('audit: admin cancels -> row with the reason', async () => {
  const answer = await app.server.inject({
    method: 'POST',
    url: `/api/v1/bookings/${scene.booking}/cancel`,
    headers: { authorization: scene.bearers.admin },
    payload: { reason: 'My plans changed' },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const rows = (await logged('bookings.cancel')).filter(({ subject }) => subject === scene.booking)
  expect(rows).toMatchObject([
    {
      before: { status: 'ACCEPTED' },
      after: { status: 'CANCELLED', reason: 'My plans changed', cancelledBy: 'admin' },
    },
  ])
})
