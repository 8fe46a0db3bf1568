import { liveTopics } from '@hansom/contract/live'
import { permissions } from '@hansom/domain/access/permissions'
import type { Relation } from '@hansom/domain/access/relation'
import { type Caller, type RouteRule, routeRefusal } from '@hansom/domain/access/route-rule'
import { plainRoutes, type RouteName, routes } from '@hansom/domain/access/routes'
import { protectedInputs } from '@hansom/domain/access/user-fields'
import type { UserRelation } from '@hansom/domain/access/user-relation'
import { type ErrorKey, errorStatus } from '@hansom/domain/error-keys'
import type { Role } from '@hansom/domain/users/roles'
import type { AddressInfo } from 'node:net'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { cast, createCarType, type Member, type Scene, setScene, typeOf } from './access-scene.fixture.ts'
import { loadConfig } from './config.ts'
import { straightMaps } from './features/bookings/straight-city.fixture.ts'
import { contractRoutes } from './platform/http/mount-contract.ts'
import { TestClient } from './platform/live/test-live.ts'
import { createTestApp, type TestApp } from './test-app.ts'

const secret = 'the secret of the walk through all permissions'
const plenty = 1e6
let app: TestApp
let carType: string
const [promo, reason, withdraw] = [uuidv7(), uuidv7(), uuidv7()]
const notifications = { get: uuidv7(), remove: uuidv7(), send: uuidv7() }
beforeAll(async () => {
  app = await createTestApp({
    config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: true },
    maps: straightMaps(),
    authSecret: secret,
    limits: { all: plenty, signIn: plenty, places: plenty, offers: plenty, setup: plenty },
  })
  await app.start()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  carType = await createCarType(app.database)
  const uid = await app.addPerson({ email: 'asked@x.test', usertype: 'driver' })
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
    `insert into push_notifications (id, devicetype, usertype, title, body, created_at)
      select id, 'All', 'All', 'x', 'x', 1 from unnest($1::uuid[]) id`,
    [Object.values(notifications)],
  )
  await app.database.pool.query(`insert into cancel_reasons (id, label, value) values ($1, 'Why not', 0)`, [
    reason,
  ])
})
afterAll(() => app.close())

type Asker = Member | 'visitor'
const askers: readonly Asker[] = ['visitor', ...cast]

/** What a refusal for lack of permission looks like; every other answer means that the door was open. */
const refusals: readonly string[] = [
  'not_logged_in',
  'must_login',
  'require_approval',
  'not_found',
  'forbidden',
  'user_issue_contact_admin',
  'not_requested',
] satisfies ErrorKey[]

/** Inputs that get as far as the question whose it is. */
const inputs: Partial<Record<RouteName, (scene: Scene) => object>> = {
  'languages.pack': () => ({ locale: 'en' }),
  'languages.texts': () => ({ locale: 'en' }),
  'languages.update': () => ({ locale: 'en', version: 0 }),
  'languages.saveTexts': () => ({ locale: 'en', version: 0, texts: {} }),
  'languages.makeDefault': () => ({ locale: 'en' }),
  'languages.remove': () => ({ locale: 'en' }),
  'integrations.test': () => ({ name: 'mail' }),
  'bookings.create': () => ({
    pickup: { lat: -34.9, lng: -56.17, add: 'a' },
    drop: { lat: -34.88, lng: -56.12, add: 'b' },
    car_type_id: carType,
    bookLater: false,
  }),
  'bookings.cancel': () => ({ reason: 'because' }),
  'bookings.rate': () => ({ rating: 5 }),
  'bookings.rate_rider': () => ({ rating: 5 }),
  'bookings.choose_payment': () => ({ payment_mode: 'cash' }),
  'bookings.assign_driver': ({ ids }) => ({ driver: ids.otherDriver }),
  'bookings.write_off': () => ({ reason: 'because' }),
  'bookings.decide_objection': () => ({ outcome: 'paid', reason: 'because' }),
  'users.renameAddress': ({ address }) => ({ id: address, label: 'Other' }),
  'users.removeAddress': ({ address }) => ({ id: address }),
  'accounts.endSession': ({ sessions }) => ({ id: sessions.rider }),
  'carTypes.remove': () => ({ id: carType }),
  'promos.remove': () => ({ id: promo }),
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

/** What everybody is to the booking, and to the driver's record, said here without asking the rules. */
const toTakenBooking: Partial<Record<Asker, Relation>> = {
  rider: 'rider',
  driver: 'driver',
  fleetadmin: 'fleetadmin',
  admin: 'admin',
}
const toNewBooking: Partial<Record<Asker, Relation>> = {
  rider: 'rider',
  requested: 'requested',
  admin: 'admin',
}
const toDriver: Partial<Record<Asker, UserRelation>> = {
  driver: 'self',
  fleetadmin: 'fleetadmin',
  admin: 'admin',
}

function relationOf(rule: RouteRule, asker: Asker, isAssigned: boolean): Relation | UserRelation | null {
  if ('user' in rule) return toDriver[asker] ?? null
  if (rule.own) return asker === 'rider' ? 'self' : null
  return (isAssigned ? toTakenBooking : toNewBooking)[asker] ?? null
}

const callerOf = (asker: Asker, scene: Scene): Caller | null =>
  asker === 'visitor'
    ? null
    : { id: scene.ids[asker], usertype: typeOf[asker], approved: asker !== 'waiting' }

async function ask(
  route: { method: unknown; path: string },
  asker: Asker,
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
    headers: asker === 'visitor' ? {} : { authorization: scene.bearers[asker] },
    ...(isReading ? {} : { payload: rest }),
  })
  const { requestId: _requestId, ...body } = (answer.json() ?? {}) as { error?: ErrorKey; requestId?: string }
  return { status: answer.statusCode, body, error: answer.statusCode < 300 ? undefined : body.error }
}

describe('the table', () => {
  test('has a row for every route of the contract, and none too many', () => {
    expect(Object.keys(routes).sort()).toEqual(
      contractRoutes()
        .map(({ name }) => name)
        .sort(),
    )
  })

  test('has a row for every other address the server answers', () => {
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

/** The addresses of the router's printed tree; names of one place in a path are written `:id`. */
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
  /** While drivers are asked, and when one has taken the trip: others then have no request any more. */
  const stages = isAnswer ? [false] : 'booking' in rule ? [false, true] : [true]
  const isAboutSomething = 'booking' in rule || 'user' in rule || rule.own === true

  test('answers everybody as the table says', async () => {
    let isEverAllowed = false
    for (const [asker, isAssigned] of askers.flatMap((one) => stages.map((stage) => [one, stage] as const))) {
      // A scene each: whoever may, does.
      const scene = await setScene(app.database, secret, { carType, isAssigned })
      const input = { id: subjectOf(rule, scene), ...inputs[name]?.(scene) }
      const { status, error } = await ask(route, asker, scene, needsId(route.path, input))
      const relation = relationOf(rule, asker, isAssigned)
      const expected = routeRefusal(rule, callerOf(asker, scene), relation)
      if (expected === null) {
        const isClosed = error !== undefined && refusals.includes(error) && !saysSoItself(name, error)
        expect(isClosed, `${asker} may, but gets ${status} ${error}`).toBe(false)
        expect(status, `${asker}`).toBeLessThan(500)
        isEverAllowed ||= status !== 400
      } else {
        expect([status, error], `${asker} may not`).toEqual([errorStatus[expected], expected])
      }
    }
    if (isAboutSomething) expect(isEverAllowed, 'the sample input is not valid').toBe(true)
  })

  test.runIf(isAboutSomething)('answers about what is forbidden as about what does not exist', async () => {
    const [isAssigned = true] = stages
    const scene = await setScene(app.database, secret, { carType, isAssigned })
    for (const asker of cast) {
      const there = { id: subjectOf(rule, scene), ...inputs[name]?.(scene) }
      const relation = relationOf(rule, asker, isAssigned)
      if (routeRefusal(rule, callerOf(asker, scene), relation) !== 'not_found') continue
      const forbidden = await ask(route, asker, scene, needsId(route.path, there))
      const absent = await ask(
        route,
        asker,
        scene,
        needsId(route.path, { ...there, ...absentIn(route.path) }),
      )
      expect(forbidden, asker).toEqual(absent)
      expect(absent, asker).toMatchObject({ status: 404, error: 'not_found' })
    }
    const absent = { ...inputs[name]?.(scene), id: uuidv7() }
    const nobody = await ask(route, 'visitor', scene, needsId(route.path, absent))
    expect(nobody).toMatchObject({ status: 401, error: 'not_logged_in' })
  })
})

/** A name of nothing, for what the path names. */
function absentIn(path: string): Record<string, string> {
  const name = /\{(order|payment)\}/.exec(path)?.[1] ?? 'id'
  return { id: uuidv7(), [name]: uuidv7() }
}

/** Only routes about one thing take an id. */
function needsId(path: string, { id, ...rest }: Record<string, unknown>) {
  return path.includes('{id}') ? { id, ...rest } : rest
}

/** What sounds like a refusal and is about something else, said to everybody alike. */
function saysSoItself(name: RouteName, error: ErrorKey): boolean {
  // An address in the sea; a request of nobody; a setup that is done or has another token; an account that keeps the address it signs in with.
  if (error === 'not_found') return name === 'places.address' || name === 'withdraws.takeBack'
  return error === 'forbidden' && (name === 'setup.create' || name.startsWith('accounts.request'))
}

describe('what a client may write', () => {
  test('names nothing that is decided elsewhere', () => {
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

  test('every kind has a row', () => {
    expect(kinds.sort()).toEqual(Object.keys(liveTopics).sort())
  })

  const stages = askers.flatMap((asker) => [true, false].map((isAssigned) => ({ asker, isAssigned })))
  test.each(stages)(
    'are open to $asker as the table says (assigned: $isAssigned)',
    async ({ asker, isAssigned }) => {
      const scene = await setScene(app.database, secret, { carType, isAssigned })
      const { port } = app.server.server.address() as AddressInfo
      const headers = asker === 'visitor' ? {} : { authorization: scene.bearers[asker] }
      const client = new TestClient(
        new WebSocket(`ws://127.0.0.1:${port}/live`, { origin: `http://127.0.0.1:${port}`, headers }),
      )
      const hello = await client.frame('hello')
      expect(hello.uid).toBe(asker === 'visitor' ? null : scene.ids[asker])
      const { booking } = scene
      const relation = relationOf({ booking: [] }, asker, isAssigned)
      const caller = callerOf(asker, scene)
      for (const kind of kinds) {
        const isAboutBooking = kind === 'booking' || kind === 'tracking'
        const about = [
          isAboutBooking ? `${kind}:${booking}` : kind,
          ...(isAboutBooking ? [`${kind}:${uuidv7()}`] : []),
        ]
        for (const topic of about) {
          const isThere = topic.endsWith(booking) || !isAboutBooking
          const isAllowed = isThere && mayFollow(kind, caller, relation)
          client.send({ t: 'sub', topic })
          const heard = await Promise.race([
            client.frame('snap', (frame) => frame.topic === topic),
            client.frame('err', (frame) => frame.topic === topic),
          ])
          expect([heard.t, 'error' in heard ? heard.error : null], `${asker} ${topic}`).toEqual(
            isAllowed ? ['snap', null] : ['err', 'not_found'],
          )
        }
      }
      client.ws.terminate()
    },
  )
})

type TopicRule = { who: 'everyone' } | { roles: readonly Role[] } | { relations: readonly Relation[] }

/** What the table of permissions says of a kind of topic. */
function mayFollow(kind: string, caller: Caller | null, relation: Relation | UserRelation | null): boolean {
  const rule: TopicRule = permissions[`topic.${kind}` as keyof typeof permissions]
  if ('who' in rule) return true
  if (caller === null || !caller.approved) return false
  if ('roles' in rule) return rule.roles.includes(caller.usertype)
  return (rule.relations as readonly unknown[]).includes(relation)
}
