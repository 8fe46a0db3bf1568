import type { AddressInfo } from 'node:net'
import { liveTopics } from '@hansom/contract/live'
import { permissions } from '@hansom/domain/access/permissions'
import { protectedInputs } from '@hansom/domain/access/protected-inputs'
import type { Actor, Relation, UserRelation } from '@hansom/domain/access/relation'
import {
  plainRoutes,
  type RouteName,
  type RouteRule,
  refusalInCategory,
  routeRefusal,
  routes,
} from '@hansom/domain/access/routes'
import type { BookingStatus } from '@hansom/domain/bookings/status'
import { type ErrorKey, errorStatus } from '@hansom/domain/error-keys'
import type { Settings } from '@hansom/domain/settings/settings'
import type { Role } from '@hansom/domain/users/roles'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import {
  createCarType,
  createScene,
  roleOf,
  type Scene,
  type SceneUser,
  sceneUsers,
} from './access-scene.fixture.ts'
import { loadConfig } from './config.ts'
import { straightMaps } from './features/bookings/straight-city.fixture.ts'
import { contractRoutes } from './platform/http/implement.ts'
import { TestClient } from './platform/live/test-live.ts'
import { createTestApp, type TestApp } from './test-app.ts'

const secret = 'the secret of the permissions test'
const plenty = 1e6
let app: TestApp
let carType: string
const [promo, reason, withdraw, dispatchRule] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
const notifications = { get: uuidv7(), remove: uuidv7(), send: uuidv7() }
beforeAll(async () => {
  app = await createTestApp({
    category: 'delivery',
    config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: true },
    maps: straightMaps(),
    authSecret: secret,
    limits: { all: plenty, signIn: plenty, places: plenty, offers: plenty, setup: plenty },
  })
  await app.start()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  carType = await createCarType(app.database)
  const uid = await app.addUser({ email: 'asked@x.test', usertype: 'driver' })
  await app.database.pool.query(
    `insert into withdraws (id, uid, name, amount, date, bank_name, bank_code, bank_account, currency)
      values ($1, $2, 'Asked', 1, 1, 'x', 'x', 'x', 'UYU')`,
    [withdraw, uid],
  )
  await app.database.pool.query(
    `insert into promos (id, promo_name, promo_discount_type, promo_discount_value, max_promo_discount_value,
      promo_validity, promo_usage_limit, created_at) values ($1, 'SALVO', 'flat', 1, 1, 1, 1, 0)`,
    [promo],
  )
  await app.database.pool.query(
    `insert into dispatch_rules values ($1, 'Night', 1, '{mon}', 22, 5, null, 1, 'waves', 10, 30, 4, 5, 60, 0, 0, 0)`,
    [dispatchRule],
  )
  await app.database.pool.query(
    `insert into push_notifications (id, devicetype, usertype, title, body, created_at)
      select id, 'All', 'All', 'x', 'x', 1 from unnest($1::uuid[]) id`,
    [Object.values(notifications)],
  )
  await app.database.pool.query(`insert into cancel_reasons (id, label, value) values ($1, 'Why not', 0)`, [
    reason,
  ])
})
afterAll(() => app.close())

type CallerName = SceneUser | 'visitor'
const callerNames: readonly CallerName[] = ['visitor', ...sceneUsers]

/** Errors for missing permission; any other response means that access was granted. */
const refusals: readonly string[] = [
  'not_logged_in',
  'must_login',
  'require_approval',
  'not_found',
  'forbidden',
  'user_issue_contact_admin',
  'not_requested',
] satisfies ErrorKey[]

/** Inputs that pass validation, so that ownership is checked. */
const inputs: Partial<Record<RouteName, (scene: Scene) => object>> = {
  'languages.pack': () => ({ locale: 'en' }),
  'languages.texts': () => ({ locale: 'en' }),
  'languages.update': () => ({ locale: 'en', version: 0 }),
  'languages.saveTexts': () => ({ locale: 'en', version: 0, texts: {} }),
  'languages.makeDefault': () => ({ locale: 'en' }),
  'languages.remove': () => ({ locale: 'en' }),
  'integrations.test': () => ({ name: 'mail' }),
  'integrations.testMaps': () => ({ role: 'places' }),
  'safety.answer': () => ({ event: uuidv7(), answer: 'fine' }),
  'safety.addContact': () => ({ name: 'Bea', mobile: '099 111 222' }),
  'safety.changeContact': () => ({ name: 'Bea', mobile: '099 111 222' }),
  'safety.note': () => ({ note: 'Called' }),
  'safety.resolve': () => ({ note: 'All well' }),
  'bookings.create': () => ({
    pickup: { lat: -34.9, lng: -56.17, add: 'a' },
    drop: { lat: -34.88, lng: -56.12, add: 'b' },
    car_type_id: carType,
    bookLater: false,
  }),
  'bookings.cancel': () => ({ reason: 'because' }),
  'bookings.deliver': () => ({ stop: 1 }),
  'bookings.fail_drop': () => ({ stop: 1, reason: 'refused' }),
  'tripLinks.correct': () => ({ stop: 1, person: 'Bea', phone: '099 111 222' }),
  'chats.send': () => ({ smsId: 'from-a-test', message: 'Hello' }),
  'chats.mark': () => ({ read: 1 }),
  'chats.report': () => ({ reason: 'spam' }),
  'bookings.rate': () => ({ rating: 5 }),
  'bookings.rate_rider': () => ({ rating: 5 }),
  'bookings.choose_payment': () => ({ payment_mode: 'cash' }),
  'bookings.assign_driver': ({ ids }) => ({ driver: ids.otherDriver }),
  'bookings.change': () => ({ bookLater: true, tripdate: Date.now() + 7_200_000 }),
  'bookings.quoteChange': () => ({ bookLater: true, tripdate: Date.now() + 7_200_000 }),
  'bookings.withdraw_driver': () => ({ reason: 'because' }),
  'bookings.write_off': () => ({ reason: 'because' }),
  'bookings.decide_objection': () => ({ outcome: 'paid', reason: 'because' }),
  'users.renameAddress': ({ address }) => ({ id: address, label: 'Other' }),
  'users.removeAddress': ({ address }) => ({ id: address }),
  'deliveries.changeRecipient': ({ recipient }) => ({
    id: recipient,
    person: 'Ben',
    phone: '099 333 444',
    place: { lat: 0, lng: 0, add: 'Home' },
  }),
  'devices.remove': ({ device }) => ({ id: device }),
  'deliveries.removeRecipient': ({ recipient }) => ({ id: recipient }),
  'deliveries.showImport': ({ file }) => ({ id: file }),
  'deliveries.bookImport': ({ file }) => ({ id: file }),
  'deliveries.stopImport': ({ file }) => ({ id: file }),
  'accounts.endSession': ({ sessions }) => ({ id: sessions.rider }),
  'carTypes.remove': () => ({ id: carType }),
  'promos.remove': () => ({ id: promo }),
  'dispatchRules.remove': () => ({ id: dispatchRule }),
  'cancelReasons.remove': () => ({ id: reason }),
  'pushNotifications.get': () => ({ id: notifications.get }),
  'pushNotifications.remove': () => ({ id: notifications.remove }),
  'pushNotifications.send': () => ({ id: notifications.send }),
  'withdraws.process': () => ({ id: withdraw }),
  'withdraws.takeBack': () => ({ id: uuidv7() }),
  'payments.order': ({ booking }) => ({ order: booking }),
  'payments.show': ({ payment }) => ({ payment }),
  'payments.complete': ({ payment }) => ({ payment, input: {} }),
  'payments.giveUp': ({ payment }) => ({ payment }),
  'users.update': () => ({ lastName: 'Other', version: 1 }),
  'users.approve': () => ({ version: 1 }),
  'users.disapprove': () => ({ version: 1 }),
  'users.change_type': () => ({ usertype: 'rider', version: 1 }),
  'users.assign_fleet': () => ({ fleetadmin: null, version: 1 }),
  'users.correct_contact': () => ({ mobile: null, version: 1 }),
}

function subjectOf(rule: RouteRule, scene: Scene): string {
  return 'user' in rule ? scene.ids.driver : scene.booking
}

/** Each caller's relation to the booking and to the driver's record, listed without using the rules. */
const toTakenBooking: Partial<Record<CallerName, Relation>> = {
  rider: 'rider',
  driver: 'driver',
  fleetadmin: 'fleetadmin',
  admin: 'admin',
}
const toNewBooking: Partial<Record<CallerName, Relation>> = {
  rider: 'rider',
  requested: 'requested',
  admin: 'admin',
}
const toDriver: Partial<Record<CallerName, UserRelation>> = {
  driver: 'self',
  fleetadmin: 'fleetadmin',
  admin: 'admin',
}

function relationOf(
  rule: RouteRule,
  callerName: CallerName,
  isAssigned: boolean,
): Relation | UserRelation | null {
  if ('user' in rule) return toDriver[callerName] ?? null
  if (rule.own) return callerName === 'rider' ? 'self' : null
  return (isAssigned ? toTakenBooking : toNewBooking)[callerName] ?? null
}

const callerOf = (callerName: CallerName, scene: Scene): Actor | null =>
  callerName === 'visitor'
    ? null
    : { id: scene.ids[callerName], role: roleOf[callerName], approved: callerName !== 'waiting' }

async function ask(
  route: { method: unknown; path: string },
  callerName: CallerName,
  scene: Scene,
  input: Record<string, unknown>,
) {
  const rest = { ...input }
  const url = route.path.replace(/\{(\w+)\}/g, (_part, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const isReading = route.method === 'GET'
  const query = isReading ? `?${new URLSearchParams(rest as Record<string, string>)}` : ''
  const answer = await app.server.inject({
    method: route.method as 'GET',
    url: url + query,
    headers: callerName === 'visitor' ? {} : { authorization: scene.bearers[callerName] },
    ...(isReading ? {} : { payload: rest }),
  })
  const { requestId: _requestId, ...body } = (answer.json() ?? {}) as { error?: ErrorKey; requestId?: string }
  return { status: answer.statusCode, body, error: answer.statusCode < 300 ? undefined : body.error }
}

describe('route table', () => {
  test('contract routes -> exactly one row each', () => {
    expect(Object.keys(routes).sort()).toEqual(
      contractRoutes()
        .map(({ name }) => name)
        .sort(),
    )
  })

  test('other served paths -> each has a row', () => {
    const known = new Set([
      ...contractRoutes().map(({ path }) => path.replace(/\{\w+\}/g, ':id')),
      ...Object.keys(plainRoutes).map((plain) => plain.split(' ')[1] as string),
    ])
    const unlisted = servedPaths(app.server.printRoutes({ commonPrefix: false })).filter(
      (path) => !known.has(path),
    )
    expect(unlisted).toEqual([])
  })
})

/** Parses the paths of the router's printed tree; parameters at one position are written `:id`. */
function servedPaths(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const found = /^(?<indent>[│ ]*)[├└]── (?<part>\S+)(?<served> \()?/.exec(line)?.groups
    if (!found) return []
    const depth = (found.indent as string).length / 4
    const part = (found.part as string).replace(/:\w+\|:id/, ':id')
    above.length = depth
    above[depth] = (above[depth - 1] ?? '') + (part === '*' ? '/files/*' : part)
    return found.served ? [above[depth]] : []
  })
}

describe.each(contractRoutes())('$name', (route) => {
  const name = route.name as RouteName
  const rule: RouteRule = routes[name]
  const isAnswer = name === 'bookings.accept' || name === 'bookings.decline'
  /** Before and after assignment: once a driver has accepted, the others have no request. */
  const stages = isAnswer ? [false] : 'booking' in rule ? [false, true] : [true]
  const hasSubject = 'booking' in rule || 'user' in rule || rule.own === true

  test('each caller -> as in the table', async () => {
    let isEverAllowed = false
    const newScene = (isAssigned: boolean) => createScene(app.database, secret, { carType, isAssigned })
    const untouched = new Map(
      await Promise.all(stages.map(async (one) => [one, await newScene(one)] as const)),
    )
    for (const [callerName, isAssigned] of callerNames.flatMap((one) =>
      stages.map((stage) => [one, stage] as const),
    )) {
      const shared = untouched.get(isAssigned) as Scene
      const relation = relationOf(rule, callerName, isAssigned)
      const caller = callerOf(callerName, shared)
      const expected =
        refusalInCategory(rule, { category: 'delivery' }, caller?.role) ??
        routeRefusal(rule, caller, relation)
      // Permitted callers change their scene; the others share one.
      const scene = expected === null ? await newScene(isAssigned) : shared
      const input = { id: subjectOf(rule, scene), ...inputs[name]?.(scene) }
      const { status, error } = await ask(route, callerName, scene, needsId(route.path, input))
      if (expected === null) {
        const isClosed = error !== undefined && refusals.includes(error) && !isOwnError(name, error)
        expect(isClosed, `${callerName} may, but gets ${status} ${error}`).toBe(false)
        expect(status, `${callerName}`).toBeLessThan(500)
        isEverAllowed ||= status !== 400
      } else {
        expect([status, error], `${callerName} may not`).toEqual([errorStatus[expected], expected])
      }
    }
    if (hasSubject) expect(isEverAllowed, 'the sample input is not valid').toBe(true)
  })

  test.runIf(hasSubject)('forbidden record -> same response as a missing one', async () => {
    const [isAssigned = true] = stages
    const { absent: missing = 'not_found' } = rule
    const scene = await createScene(app.database, secret, { carType, isAssigned })
    for (const callerName of sceneUsers) {
      const there = { id: subjectOf(rule, scene), ...inputs[name]?.(scene) }
      const relation = relationOf(rule, callerName, isAssigned)
      if (routeRefusal(rule, callerOf(callerName, scene), relation) !== missing) continue
      const forbidden = await ask(route, callerName, scene, needsId(route.path, there))
      const absent = await ask(
        route,
        callerName,
        scene,
        needsId(route.path, { ...there, ...absentIn(route.path) }),
      )
      expect(forbidden, callerName).toEqual(absent)
      expect(absent, callerName).toMatchObject({ status: 404, error: missing })
    }
    const absent = { ...inputs[name]?.(scene), id: uuidv7() }
    const visitor = await ask(route, 'visitor', scene, needsId(route.path, absent))
    expect(visitor).toMatchObject({ status: 401, error: 'not_logged_in' })
  })
})

/** Ids of missing records, for the parameters of the path. */
function absentIn(path: string): Record<string, string> {
  const name = /\{(order|payment)\}/.exec(path)?.[1] ?? 'id'
  return { id: uuidv7(), [name]: uuidv7() }
}

/** Only routes with an id parameter take an id. */
function needsId(path: string, { id, ...rest }: Record<string, unknown>) {
  return path.includes('{id}') ? { id, ...rest } : rest
}

/** Routes about a question or an alarm, of which the scene has none. */
const ofQuestion = (name: RouteName) =>
  name.startsWith('safety.') && !['safety.state', 'safety.contacts', 'safety.addContact'].includes(name)

/** Errors that look like a refusal but have another cause, and are the same for all callers. */
function isOwnError(name: RouteName, error: ErrorKey): boolean {
  // A point in the sea; a request that does not exist; a setup that is done or has another token; an account whose
  // sign-in address cannot change.
  if (error === 'not_found')
    return (
      name.startsWith('places.') ||
      ofQuestion(name) ||
      name === 'integrations.testMaps' ||
      name === 'withdraws.takeBack'
    )
  return error === 'forbidden' && (name === 'setup.create' || name.startsWith('accounts.request'))
}

test('taxi installation: routes of deliveries -> do not exist, for any caller', async () => {
  const { database, services } = app
  const setCategory = (category: Settings['category']) =>
    database.withTransaction((tx) => services.settings.update(tx, { category }))
  const scene = await createScene(database, secret, { carType, isAssigned: true })
  const ofDeliveries = contractRoutes().filter(({ name }) => 'only' in routes[name as RouteName])
  expect(ofDeliveries.length).toBeGreaterThan(10)
  await setCategory('taxi')
  try {
    for (const route of ofDeliveries) {
      const name = route.name as RouteName
      for (const callerName of callerNames) {
        const input = { id: scene.booking, ...inputs[name]?.(scene) }
        const { error } = await ask(route, callerName, scene, needsId(route.path, input))
        expect([name, callerName, error]).toEqual([name, callerName, 'not_found'])
      }
    }
    for (const [plain] of Object.entries(plainRoutes).filter(([, rule]) => 'only' in rule)) {
      const [method, path = ''] = plain.split(' ')
      const url = path.replace(':id', scene.booking).replace(':n', '1')
      const headers = { authorization: scene.bearers.admin, 'content-type': 'image/jpeg' }
      const answer = await app.server.inject({ method: method as 'GET', url, headers })
      expect([plain, answer.statusCode]).toEqual([plain, 404])
    }
  } finally {
    await setCategory('delivery')
  }
})

describe('client input', () => {
  test('protected fields -> accepted by no other route', () => {
    const wrong = contractRoutes().flatMap(({ name, input }) => {
      if (!(input instanceof z.ZodType)) return []
      const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
      return [...namesIn(schema)]
        .filter((field) => Object.hasOwn(protectedInputs, field) && !protectedInputs[field]?.includes(name))
        .map((field) => `${name} takes ${field}`)
    })
    expect(wrong).toEqual([])
  })
})

function namesIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found
  const { properties } = schema as { properties?: object }
  for (const field of Object.keys(properties ?? {})) found.add(field)
  for (const inner of Object.values(schema)) namesIn(inner, found)
  return found
}

describe('live topics', () => {
  const kinds = (Object.keys(permissions) as (keyof typeof permissions)[]).flatMap((action) =>
    action.startsWith('topic.') ? [action.slice('topic.'.length)] : [],
  )

  test('every kind -> has a row', () => {
    expect(kinds.sort()).toEqual(Object.keys(liveTopics).sort())
  })

  const stages = callerNames.flatMap((callerName) =>
    [true, false].map((isAssigned) => ({ callerName, isAssigned })),
  )
  test.each(stages)(
    '$callerName -> as in the table (assigned: $isAssigned)',
    async ({ callerName, isAssigned }) => {
      const scene = await createScene(app.database, secret, { carType, isAssigned })
      const { port } = app.server.server.address() as AddressInfo
      const headers = callerName === 'visitor' ? {} : { authorization: scene.bearers[callerName] }
      const client = new TestClient(
        new WebSocket(`ws://127.0.0.1:${port}/live`, { origin: `http://127.0.0.1:${port}`, headers }),
      )
      const hello = await client.frame('hello')
      expect(hello.uid).toBe(callerName === 'visitor' ? null : scene.ids[callerName])
      const { booking } = scene
      const relation = relationOf({ booking: [] }, callerName, isAssigned)
      const caller = callerOf(callerName, scene)
      for (const kind of kinds) {
        const isAboutBooking = ['booking', 'tracking', 'chat', 'safety'].includes(kind)
        const about = [
          isAboutBooking ? `${kind}:${booking}` : kind,
          ...(isAboutBooking ? [`${kind}:${uuidv7()}`] : []),
        ]
        for (const topic of about) {
          const isThere = topic.endsWith(booking) || !isAboutBooking
          const isAllowed = isThere && mayFollow(kind, caller, relation, isAssigned ? 'ACCEPTED' : 'NEW')
          client.send({ t: 'sub', topic })
          const reply = await Promise.race([
            client.frame('snap', (frame) => frame.topic === topic),
            client.frame('err', (frame) => frame.topic === topic),
          ])
          expect([reply.t, 'error' in reply ? reply.error : null], `${callerName} ${topic}`).toEqual(
            isAllowed ? ['snap', null] : ['err', 'not_found'],
          )
        }
      }
      client.ws.terminate()
    },
  )
})

type TopicRule =
  | { who: 'everyone' }
  | { roles: readonly Role[] }
  | { relations: readonly Relation[]; in?: readonly BookingStatus[] }

/** Evaluates the permission table for a kind of topic. */
function mayFollow(
  kind: string,
  caller: Actor | null,
  relation: Relation | UserRelation | null,
  status: BookingStatus,
): boolean {
  const rule: TopicRule = permissions[`topic.${kind}` as keyof typeof permissions]
  if ('who' in rule) return true
  if (caller === null || !caller.approved) return false
  if ('roles' in rule) return rule.roles.includes(caller.role)
  if (rule.in && !rule.in.includes(status)) return false
  return (rule.relations as readonly unknown[]).includes(relation)
}
