import type { Actor } from '@hansom/domain/access/relation'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { withOneConnection } from '../../platform/database/test-database.ts'
import { along, createSafetyScene } from './safety.fixture.ts'

let scene: Awaited<ReturnType<typeof createSafetyScene>>
beforeAll(async () => {
  scene = await createSafetyScene()
})
afterAll(() => scene.city.close())
afterEach(() => scene.city.changeSettings({ category: 'taxi' }))

const standing = () => along(0.5)
const questionOf = async (actor: Actor, id: string) => (await scene.safety.state(actor, id)).question

/** A started trip whose car stands far from pickup and drop until its people are asked. */
async function asked() {
  const trip = await scene.started()
  await scene.drive(trip.driver, 220, standing)
  const [event] = await scene.events(trip.id)
  return { ...trip, event: event?.id ?? '' }
}

test('car stands for three minutes -> both are asked once, on the page and by notification', async () => {
  const { rider, driver, id } = await asked()
  expect(await scene.events(id)).toMatchObject([{ kind: 'stop', state: 'asked' }])
  expect(await scene.safety.state(rider, id)).toMatchObject({
    question: { kind: 'stop', answer: null },
    alarm: null,
  })
  expect(await scene.safety.state(driver, id)).toMatchObject({ question: { kind: 'stop' } })
  expect(await scene.notified(rider, 'notify.safety_question.title')).toEqual([
    { screen: 'BookedCab', booking_id: id },
  ])
  expect(await scene.notified(driver, 'notify.safety_question.title')).toEqual([
    { screen: 'DriverTrips', booking_id: id },
  ])
  await scene.city.outbox.idle()
  const channels = scene.city.published.map(({ channel }) => channel)
  expect(channels).toContain(`safety:${id}|rider`)
  expect(channels).toContain(`safety:${id}|driver`)
})

test('trip on its route -> no question', async () => {
  const { driver, id } = await scene.started()
  await scene.drive(driver, 400, (second) => along(second / 500))
  expect(await scene.events(id)).toEqual([])
})

test('off the route for a minute -> asked', async () => {
  const { driver, id } = await scene.started()
  await scene.drive(driver, 120, (second) => along(second / 500, 1_600))
  expect(await scene.events(id)).toMatchObject([{ kind: 'deviation', state: 'asked' }])
})

test('driver is fine -> still open; rider is fine -> closed; asked again only after the pause', async () => {
  const { rider, driver, id, event } = await asked()
  await scene.safety.answer(driver, id, event, 'fine')
  expect(await scene.events(id)).toMatchObject([{ state: 'asked' }])
  expect(await questionOf(driver, id)).toMatchObject({ answer: 'fine' })
  // The other one's answer is not shown.
  expect(await questionOf(rider, id)).toMatchObject({ answer: null })
  await scene.safety.answer(rider, id, event, 'fine')
  await scene.safety.answer(rider, id, event, 'fine')
  expect(await scene.events(id)).toMatchObject([{ state: 'closed', closing: 'answer' }])
  expect(await scene.moments(id)).toEqual(['asked', 'fine', 'fine', 'closed'])
  await scene.drive(driver, 600, standing)
  expect(await scene.events(id)).toHaveLength(1)
  await scene.drive(driver, 320, standing)
  expect(await scene.events(id)).toMatchObject([{ state: 'closed' }, { state: 'asked' }])
})

test('no answer for two minutes -> an alarm to the admins, also when the server restarts meanwhile', async () => {
  const { rider, driver, id } = await asked()
  const next = scene.restarted()
  await scene.drive(driver, 140, standing, next)
  expect(await scene.events(id)).toMatchObject([{ kind: 'stop', state: 'alarm' }])
  expect(await scene.moments(id)).toEqual(['asked', 'unanswered'])
  expect(await scene.notified(scene.admin, 'alert.safety.title')).toContainEqual({
    screen: 'safety',
    booking_id: id,
  })
  expect(await scene.safety.state(rider, id)).toMatchObject({
    question: null,
    alarm: { acknowledged: false },
  })
  // The driver does not learn of it.
  expect(await scene.safety.state(driver, id)).toEqual({ question: null, alarm: null, left_at: null })
})

test('two servers scan at once -> one question, one alarm', async () => {
  const { driver, id } = await scene.started()
  const other = scene.restarted()
  const both = { scan: async () => void (await Promise.all([scene.safety.scan(), other.scan()])) }
  await scene.drive(driver, 220, standing, both)
  expect(await scene.moments(id)).toEqual(['asked'])
  await scene.drive(driver, 140, standing, both)
  expect(await scene.moments(id)).toEqual(['asked', 'unanswered'])
})

test.each([1, 2, 3, 4])('opposite answers at the same moment -> an alarm (round %i)', async () => {
  const { rider, driver, id, event } = await asked()
  await Promise.all([
    scene.safety.answer(rider, id, event, 'fine'),
    scene.safety.answer(driver, id, event, 'help'),
  ])
  expect(await scene.events(id)).toMatchObject([{ state: 'alarm', closing: null }])
  expect(await scene.safety.state(driver, id)).toMatchObject({ alarm: { acknowledged: false } })
  // The rider does not learn that the driver asked for help.
  expect(await scene.safety.state(rider, id)).toEqual({ question: null, alarm: null, left_at: null })
})

test.each([1, 2, 3])('help and the end of the trip at the same moment -> an alarm (round %i)', async () => {
  const { rider, driver, id, event } = await asked()
  await Promise.all([
    scene.safety.answer(rider, id, event, 'help'),
    scene.city.bookings.commands.reach(scene.city.order(driver, id), {}),
  ])
  await scene.city.outbox.idle()
  expect(await scene.events(id)).toMatchObject([{ state: 'alarm' }])
})

/** A question whose driver was fine and has then ended the trip. */
async function askedAndEnded() {
  const trip = await asked()
  await scene.safety.answer(trip.driver, trip.id, trip.event, 'fine')
  await scene.city.bookings.commands.reach(scene.city.order(trip.driver, trip.id), {})
  await scene.city.outbox.idle()
  return trip
}

test('driver is fine and ends the trip -> the rider is still asked; no answer -> an alarm', async () => {
  const { rider, driver, id } = await askedAndEnded()
  expect(await questionOf(rider, id)).toMatchObject({ kind: 'stop', answer: null })
  expect(await scene.unread(rider, 'notify.safety_question.title')).toEqual([id])
  await scene.wait(140)
  expect(await scene.events(id)).toMatchObject([{ kind: 'stop', state: 'alarm' }])
  expect(await scene.notified(scene.admin, 'alert.safety.title')).toContainEqual({
    screen: 'safety',
    booking_id: id,
  })
  expect(await scene.safety.state(driver, id)).toEqual({ question: null, alarm: null, left_at: null })
})

test('driver ends the trip, rider is fine afterwards -> closed without an alarm', async () => {
  const { rider, id, event } = await askedAndEnded()
  await scene.safety.answer(rider, id, event, 'fine')
  await scene.wait(140)
  expect(await scene.events(id)).toMatchObject([{ state: 'closed', closing: 'answer' }])
})

test.each(['published', 'waiting'])(
  'delivery ends, its event is %s -> the question is closed',
  async (event) => {
    const { driver, id } = await asked()
    scene.city.changeSettings({ category: 'delivery' })
    if (event === 'published') {
      await scene.city.bookings.commands.reach(scene.city.order(driver, id), {})
      await scene.city.outbox.idle()
    } else {
      await scene.city.database.pool.query(`update bookings set status = 'REACHED' where id = $1`, [id])
    }
    await scene.wait(140)
    expect(await scene.events(id)).toMatchObject([{ state: 'closed', closing: 'trip_end' }])
  },
)

test('every other connection of the pool in use -> an unanswered question still becomes an alarm', async () => {
  const { id } = await asked()
  await scene.clock.advance(140_000)
  await withOneConnection(scene.city.database.pool, () => scene.safety.scan())
  expect(await scene.events(id)).toContainEqual(expect.objectContaining({ kind: 'stop', state: 'alarm' }))
})

test('no position for two minutes -> only the rider is asked; a position -> closed', async () => {
  const { rider, driver, id } = await scene.started()
  await scene.drive(driver, 60, (second) => along(second / 500))
  await scene.wait(140)
  expect(await scene.events(id)).toMatchObject([{ kind: 'silence', state: 'asked' }])
  expect(await questionOf(rider, id)).toMatchObject({ kind: 'silence' })
  expect(await questionOf(driver, id)).toBeNull()
  expect(await scene.notified(driver, 'notify.safety_question.title')).toEqual([])
  await scene.drive(driver, 20, () => along(0.3))
  expect(await scene.events(id)).toMatchObject([{ state: 'closed', closing: 'resumed' }])
})

/** A trip whose rider is asked about the silence of the driver's phone. */
async function silent() {
  const trip = await scene.started()
  await scene.drive(trip.driver, 40, (second) => along(second / 500))
  await scene.wait(140)
  expect(await scene.events(trip.id)).toMatchObject([{ kind: 'silence', state: 'asked' }])
  return trip
}

test.each([
  ['with a new position', true, { state: 'closed', closing: 'resumed' }],
  ['without a position', false, { state: 'alarm' }],
] as const)('silent phone ends the trip %s -> the question is decided', async (_, isHeard, decided) => {
  const { driver, id } = await silent()
  await scene.clock.advance(1_000)
  if (isHeard) await scene.city.report(driver, { ...along(1), at: scene.clock.now() })
  await scene.city.bookings.commands.reach(scene.city.order(driver, id), {})
  await scene.wait(140)
  expect(await scene.events(id)).toMatchObject([decided])
})

test('car stands, then ends the trip with a new position -> an alarm all the same', async () => {
  const { driver, id } = await asked()
  await scene.clock.advance(1_000)
  await scene.city.report(driver, { ...along(1), at: scene.clock.now() })
  await scene.city.bookings.commands.reach(scene.city.order(driver, id), {})
  await scene.wait(140)
  expect(await scene.events(id)).toMatchObject([{ kind: 'stop', state: 'alarm' }])
})

test('server restarts while a phone is silent -> the rider is still asked', async () => {
  const { id } = await silent()
  await scene.restarted().scan()
  expect(await scene.events(id)).toMatchObject([{ kind: 'silence', state: 'asked' }])
})

test('server was away -> its own silence is not the driver’s', async () => {
  const { id } = await scene.started()
  await scene.clock.advance(600_000)
  const next = scene.restarted()
  await next.scan()
  await scene.wait(100, next)
  expect(await scene.events(id)).toEqual([])
  await scene.wait(20, next)
  expect(await scene.events(id)).toMatchObject([{ kind: 'silence' }])
})

test('strangers, the wrong trip, the panic button’s alarm -> not_found', async () => {
  const { rider, id, event } = await asked()
  const other = await scene.started()
  const stranger = await scene.city.addRider()
  for (const [actor, booking] of [
    [stranger, id],
    [other.rider, id],
    [rider, other.id],
    [scene.admin, id],
  ] as const) {
    await expect(scene.safety.answer(actor, booking, event, 'fine')).rejects.toMatchObject({
      key: 'not_found',
    })
  }
  const alarm = await scene.safety.panic(rider, id, null, null)
  await expect(scene.safety.answer(rider, id, alarm, 'fine')).rejects.toMatchObject({ key: 'not_found' })
})

test('rider is fine -> the notifications of both close, and others about the trip stay', async () => {
  const { rider, driver, id, event } = await asked()
  const title = 'notify.safety_question.title'
  const others = async () =>
    (
      await scene.city.database.pool.query(
        'select from user_notifications where user_id = $1 and title <> $2 and read_at is null',
        [rider.id, title],
      )
    ).rowCount
  const before = await others()
  expect(before).toBeGreaterThan(0)
  await scene.safety.answer(driver, id, event, 'fine')
  expect([await scene.unread(driver, title), await scene.unread(rider, title)]).toEqual([[], [id]])
  await scene.safety.answer(rider, id, event, 'fine')
  expect(await scene.unread(rider, title)).toEqual([])
  expect(await others()).toBe(before)
})
