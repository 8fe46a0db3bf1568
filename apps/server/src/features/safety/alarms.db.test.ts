import { afterAll, beforeAll, expect, test } from 'vitest'
import { withOneConnection } from '../../platform/database/test-database.ts'
import { tableChangedKind } from '../../platform/tables/table.ts'
import { along, createSafetyScene } from './safety.fixture.ts'

let scene: Awaited<ReturnType<typeof createSafetyScene>>
beforeAll(async () => {
  scene = await createSafetyScene()
})
afterAll(() => scene.city.close())

const alarmOf = async (id: string) =>
  (await scene.safety.list(scene.admin, 'open')).find(({ booking }) => booking === id)

test('panic -> an alarm with trip, people, phone numbers and the phone’s position, for every admin', async () => {
  const second = await scene.city.addAdmin()
  const { rider, driver, id } = await scene.started()
  await scene.safety.panic(rider, id, along(0.4), 'a key of a phone')
  const alarm = await alarmOf(id)
  expect(alarm).toMatchObject({
    kind: 'panic',
    state: 'alarm',
    status: 'STARTED',
    rider: { id: rider.id, phone: expect.stringMatching(/^\+5989/) },
    driver: { id: driver.id },
    point: along(0.4),
    raised_by: 'rider',
    acknowledged: null,
    timeline: [{ what: 'raised' }],
  })
  for (const admin of [scene.admin, second]) {
    expect(await scene.notified(admin, 'alert.safety.title')).toContainEqual({
      screen: 'safety',
      booking_id: id,
    })
  }
  expect(await scene.safety.state(rider, id)).toMatchObject({ alarm: { acknowledged: false } })
  // The other person does not learn of it.
  expect(await scene.safety.state(driver, id)).toEqual({ question: null, alarm: null, left_at: null })
})

test('alarm of a trip that ends, or gets another driver -> the people stay reachable', async () => {
  const { rider, driver, id } = await scene.started()
  await scene.safety.panic(rider, id, null, null)
  const before = await alarmOf(id)
  await scene.city.database.pool.query(
    `update bookings set status = 'CANCELLED', cancelled_by = 'driver', driver = null where id = $1`,
    [id],
  )
  const { rider: traveller, driver: seen } = (await alarmOf(id)) ?? {}
  expect(traveller).toEqual(before?.rider)
  expect(seen).toMatchObject({
    id: driver.id,
    name: expect.stringMatching(/\w/),
    phone: before?.driver.phone,
  })
})

test('panic without a position -> the last known one of the car', async () => {
  const { rider, driver, id } = await scene.started()
  await scene.drive(driver, 20, () => along(0.2))
  await scene.safety.panic(rider, id, null, null)
  expect((await alarmOf(id))?.point).toMatchObject(along(0.2))
})

test('panic: sent again with the same key -> one; pressed again -> added to the alarm', async () => {
  const { rider, id } = await scene.started()
  const key = 'one press of a phone'
  const sent = await Promise.all([1, 2, 3].map(() => scene.safety.panic(rider, id, null, key)))
  expect(new Set(sent).size).toBe(1)
  expect(await scene.moments(id)).toEqual(['raised'])
  await scene.safety.panic(rider, id, along(0.6), 'another press')
  expect(await scene.moments(id)).toEqual(['raised', 'repeated'])
  expect((await alarmOf(id))?.point).toMatchObject(along(0.6))
})

test.each([1, 2, 3])('both people at once -> one alarm that both raised (round %i)', async () => {
  const { rider, driver, id } = await scene.started()
  const [one, two] = await Promise.all([
    scene.safety.panic(rider, id, null, 'of the rider'),
    scene.safety.panic(driver, id, null, 'of the driver'),
  ])
  expect(one).toBe(two)
  expect(await scene.moments(id)).toEqual(['raised', 'repeated'])
  expect(await scene.safety.state(driver, id)).toMatchObject({ alarm: { acknowledged: false } })
})

test('panic: off, before acceptance, strangers -> refused; on the way to the pickup -> raised', async () => {
  const { rider, driver, id } = await scene.accepted()
  const stranger = await scene.city.addRider()
  await expect(scene.safety.panic(stranger, id, null, null)).rejects.toMatchObject({ key: 'not_found' })
  scene.city.changeSettings({ panic: false })
  await expect(scene.safety.panic(rider, id, null, null)).rejects.toMatchObject({ key: 'wrong_status' })
  scene.city.changeSettings({ panic: true })
  await scene.city.addDriver(along(0))
  const { booking } = await scene.city.bookings.create(stranger, scene.city.request(), null)
  await expect(scene.safety.panic(stranger, booking.id, null, null)).rejects.toMatchObject({
    key: 'wrong_status',
  })
  await scene.safety.panic(driver, id, null, null)
  expect(await scene.moments(id)).toEqual(['raised'])
  expect(await alarmOf(id)).toMatchObject({ raised_by: 'driver' })
})

test('the office takes the driver off at the pickup -> both may still ask for help, for 15 minutes', async () => {
  const { rider, driver, id } = await scene.accepted()
  const { commands } = scene.city.bookings
  await commands.arrive(scene.city.order(driver, id))
  await commands.withdraw_driver(scene.city.order(scene.admin, id), { reason: 'A complaint' })
  const leftAt = scene.clock.now()
  const stranger = await scene.city.addDriver(along(0))
  await expect(scene.safety.panic(stranger, id, null, null)).rejects.toMatchObject({ key: 'not_found' })
  expect(await scene.safety.state(rider, id)).toEqual({ question: null, alarm: null, left_at: leftAt })
  const alarm = await scene.safety.panic(rider, id, along(0), null)
  expect(await scene.safety.panic(driver, id, null, null)).toBe(alarm)
  expect(await alarmOf(id)).toMatchObject({ driver: { id: driver.id }, rider: { id: rider.id } })
  await scene.clock.advance(16 * 60_000)
  await expect(scene.safety.panic(rider, id, null, null)).rejects.toMatchObject({ key: 'wrong_status' })
  await expect(scene.safety.panic(driver, id, null, null)).rejects.toMatchObject({ key: 'not_found' })
  // The page still shows the alarm.
  expect(await scene.safety.state(rider, id)).toMatchObject({ alarm: { closed_at: null }, left_at: leftAt })
  await scene.city.ask(id, [stranger])
  await commands.accept(scene.city.order(stranger, id))
  expect(await scene.safety.state(stranger, id)).toEqual({ question: null, alarm: null, left_at: null })
})

test.each([1, 2, 3])(
  'two admins acknowledge at once -> one does, the other learns who (round %i)',
  async () => {
    const second = await scene.city.addAdmin()
    const { rider, id } = await scene.started()
    const alarm = await scene.safety.panic(rider, id, null, null)
    const results = await Promise.allSettled(
      [scene.admin, second].map((admin) => scene.safety.acknowledge(admin, alarm)),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find((one) => one.status === 'rejected')).toMatchObject({ reason: { key: 'conflict' } })
    expect((await alarmOf(id))?.acknowledged?.name).toMatch(/^admin /)
    expect(await scene.moments(id)).toEqual(['raised', 'acknowledged'])
    expect(await scene.safety.state(rider, id)).toMatchObject({ alarm: { acknowledged: true } })
  },
)

test('alarm: seen once by each, taken over, noted, closed with an outcome -> the timeline; then a new one', async () => {
  const { rider, driver, id } = await scene.started()
  const alarm = await scene.safety.panic(rider, id, null, null)
  await scene.safety.seen(scene.admin, alarm)
  await scene.safety.seen(scene.admin, alarm)
  await expect(scene.safety.resolve(scene.admin, alarm, 'Too early')).rejects.toMatchObject({
    key: 'conflict',
  })
  await scene.safety.acknowledge(scene.admin, alarm)
  await scene.safety.acknowledge(scene.admin, alarm)
  await scene.safety.addNote(scene.admin, alarm, 'Called the rider')
  const closed = await scene.safety.resolve(scene.admin, alarm, 'Pressed by mistake')
  expect(closed.timeline.map(({ what, note }) => [what, note])).toEqual([
    ['raised', null],
    ['seen', null],
    ['acknowledged', null],
    ['note', 'Called the rider'],
    ['closed', 'Pressed by mistake'],
  ])
  expect(await alarmOf(id)).toBeUndefined()
  const closedAt = closed.timeline.at(-1)?.at
  expect(await scene.safety.state(rider, id)).toMatchObject({ alarm: { closed_at: closedAt } })
  expect(await scene.safety.state(driver, id)).toMatchObject({ alarm: null })
  expect((await scene.safety.list(scene.admin, 'closed'))[0]).toMatchObject({ id: alarm, closing: 'admin' })
  expect(await scene.safety.panic(rider, id, null, null)).not.toBe(alarm)
  expect(await scene.safety.state(rider, id)).toMatchObject({ alarm: { closed_at: null } })
})

test('every other connection of the pool in use -> an admin still takes over, notes and closes', async () => {
  const { rider, driver, id } = await scene.started()
  const alarm = await scene.safety.panic(rider, id, null, null)
  await scene.city.bookings.commands.reach(scene.city.order(driver, id), {})
  await scene.city.outbox.idle()
  await withOneConnection(scene.city.database.pool, async () => {
    await scene.safety.acknowledge(scene.admin, alarm)
    await scene.safety.addNote(scene.admin, alarm, 'Called the rider')
    await scene.safety.resolve(scene.admin, alarm, 'All is well')
  })
  expect(await scene.events(id)).toMatchObject([{ state: 'closed', closing: 'admin' }])
})

test('fleet admin -> sees the alarms of their own drivers only', async () => {
  const fleet = await scene.city.addUserOf('fleetadmin')
  const { rider, driver, id } = await scene.started()
  const { pool } = scene.city.database
  await pool.query('update users set fleetadmin = $2 where id = $1', [driver.id, fleet.id])
  await pool.query('update bookings set fleetadmin = $2 where id = $1', [id, fleet.id])
  const other = await scene.started()
  const foreign = await scene.safety.panic(other.rider, other.id, null, null)
  const alarm = await scene.safety.panic(rider, id, null, null)
  expect((await scene.safety.list(fleet, 'open')).map((one) => one.id)).toEqual([alarm])
  await expect(scene.safety.seen(fleet, foreign)).rejects.toMatchObject({ key: 'not_found' })
  expect(await scene.notified(fleet, 'alert.safety.title')).toHaveLength(1)
})

/** A driver of a fleet who was taken off a trip after an alarm, and another fleet's driver who has accepted it. */
async function twoDrivers() {
  const [fleet, next] = [
    await scene.city.addUserOf('fleetadmin'),
    await scene.city.addUserOf('fleetadmin'),
  ] as const
  const { pool } = scene.city.database
  const join = (driver: { id: string }, to: { id: string }) =>
    pool.query('update users set fleetadmin = $2 where id = $1', [driver.id, to.id])
  const { rider, driver, id } = await scene.accepted({ first_name: 'Rita', last_name: 'Paz' })
  await join(driver, fleet)
  await pool.query('update bookings set fleetadmin = $2 where id = $1', [id, fleet.id])
  const alarm = await scene.safety.panic(rider, id, along(0.1), null)
  await scene.safety.acknowledge(scene.admin, alarm)
  expect(await scene.safety.list(fleet, 'open')).toMatchObject([{ id: alarm, booking_seen: true }])
  const { commands } = scene.city.bookings
  await commands.withdraw_driver(scene.city.order(scene.admin, id), { reason: 'A complaint' })
  return {
    fleet,
    next,
    rider,
    driver,
    id,
    alarm,
    async acceptedByNext() {
      const second = await scene.city.addDriver(along(0))
      await join(second, next)
      await scene.city.ask(id, [second])
      await commands.accept(scene.city.order(second, id))
      return second
    },
  }
}

test('open alarm about a former driver, help against the next one -> an alarm of its own, for their fleet', async () => {
  const { fleet, next, rider, driver, id, alarm, acceptedByNext } = await twoDrivers()
  const second = await acceptedByNext()
  const before = (await scene.notified(scene.admin, 'alert.safety.title')).length
  const own = await Promise.all([
    scene.safety.panic(rider, id, along(0.4), null),
    scene.safety.panic(second, id, null, null),
  ])
  expect(own).toEqual([expect.not.stringContaining(alarm), own[0]])
  expect(await scene.safety.list(next, 'open')).toMatchObject([{ id: own[0], driver: { id: second.id } }])
  expect((await scene.safety.list(fleet, 'open')).map((one) => one.id)).toEqual([alarm])
  expect(await scene.notified(next, 'alert.safety.title')).toHaveLength(1)
  expect(await scene.notified(scene.admin, 'alert.safety.title')).toHaveLength(before + 1)
  // The page shows the new alarm, which no one has taken over yet. What the former driver does is added to theirs.
  expect(await scene.safety.state(rider, id)).toMatchObject({ alarm: { acknowledged: false } })
  expect(await scene.safety.panic(driver, id, null, null)).toBe(alarm)
})

test('open alarm about a former driver, the next one stands -> still asked', async () => {
  const { rider, id, acceptedByNext } = await twoDrivers()
  const second = await acceptedByNext()
  const { commands } = scene.city.bookings
  await commands.arrive(scene.city.order(second, id))
  await commands.start(scene.city.order(second, id), {})
  await scene.drive(second, 220, () => along(0.5))
  expect(await scene.events(id)).toMatchObject([
    { kind: 'panic', state: 'alarm' },
    { kind: 'stop', state: 'asked' },
  ])
  await scene.safety.answer(rider, id, (await scene.events(id))[1]?.id ?? '', 'fine')
  await commands.reach(scene.city.order(second, id), {})
})

test('driver taken off the trip -> their fleet admin keeps the alarm as it was, without the trip and the rider', async () => {
  const { fleet, rider, driver, id, alarm, acceptedByNext } = await twoDrivers()
  await scene.clock.advance(10_000)
  await scene.safety.addNote(scene.admin, alarm, 'Rita waits at a friend’s')
  await scene.safety.panic(rider, id, along(0.2), null)
  await acceptedByNext()
  await scene.safety.panic(rider, id, along(0.4), null)
  const [seen] = await scene.safety.list(fleet, 'open')
  expect(seen).toMatchObject({
    id: alarm,
    booking_seen: false,
    status: null,
    pickup: null,
    drop: null,
    rider: { id: null, name: '', phone: null, contacts: [] },
    driver: { id: driver.id, name: expect.stringMatching(/\w/), phone: null, contacts: [] },
    point: along(0.1),
    acknowledged: { name: expect.stringMatching(/^admin /) },
  })
  expect(seen?.timeline).toMatchObject([
    { what: 'raised', name: null, point: along(0.1) },
    { what: 'acknowledged', name: expect.stringMatching(/^admin /) },
  ])
  await scene.safety.resolve(scene.admin, alarm, 'Rita is at home')
  const [closed] = await scene.safety.list(fleet, 'closed')
  expect(closed?.timeline.at(-1)).toMatchObject({ what: 'closed', note: null })
  for (const told of [seen, closed]) expect(JSON.stringify(told)).not.toMatch(/Rita|Paz/)
  expect(await scene.safety.seen(fleet, alarm)).toMatchObject({ id: alarm })
  const strange = await scene.city.addUserOf('fleetadmin')
  expect(await scene.safety.list(strange, 'open')).toEqual([])
})

test('alarm raised after the driver was taken off -> their fleet admin reads that, not where', async () => {
  const { fleet, rider, id, alarm } = await twoDrivers()
  await scene.safety.resolve(scene.admin, alarm, 'All is well')
  await scene.clock.advance(10_000)
  const later = await scene.safety.panic(rider, id, along(0.2), null)
  expect(await scene.safety.list(fleet, 'open')).toMatchObject([
    { id: later, point: null, timeline: [{ what: 'raised', point: null }] },
  ])
})

test('driver who left the fleet -> its admin keeps the alarm of their trip, without the driver’s record', async () => {
  const { next, rider, id, acceptedByNext } = await twoDrivers()
  const second = await acceptedByNext()
  await scene.safety.panic(rider, id, null, null)
  const shown = async () => (await scene.safety.list(next, 'open'))[0]
  expect(await shown()).toMatchObject({ booking_seen: true, driver: { id: second.id } })
  await scene.city.database.pool.query('update users set fleetadmin = null where id = $1', [second.id])
  expect(await shown()).toMatchObject({
    booking_seen: true,
    driver: { id: null, name: expect.stringMatching(/\w/) },
  })
})

test('an admin takes over -> the notifications of all admins about this alarm close, those of others stay', async () => {
  const second = await scene.city.addAdmin()
  const { rider, id } = await scene.started()
  const other = await scene.started()
  const alarm = await scene.safety.panic(rider, id, null, null)
  await scene.safety.panic(other.rider, other.id, null, null)
  const unread = () => scene.unread(second, 'alert.safety.title')
  expect(await unread()).toEqual(expect.arrayContaining([id, other.id]))
  await scene.safety.acknowledge(scene.admin, alarm)
  expect(await unread()).toEqual([other.id])
})

test('an admin takes over the silence -> the notifications of the panic button on the same trip stay', async () => {
  const second = await scene.city.addAdmin()
  const { rider, driver, id } = await scene.started()
  await scene.drive(driver, 20, () => along(0.2))
  await scene.wait(400)
  const silence = (await scene.events(id)).find(({ kind, state }) => kind === 'silence' && state === 'alarm')
  expect(await scene.safety.list(scene.admin, 'open')).toContainEqual(
    expect.objectContaining({ id: silence?.id, raised_by: null }),
  )
  const panic = await scene.safety.panic(rider, id, null, null)
  const unread = () => scene.unread(second, 'alert.safety.title')
  expect(await unread()).toEqual([id, id])
  await scene.safety.acknowledge(scene.admin, silence?.id ?? '')
  expect(await unread()).toEqual([id])
  await scene.safety.acknowledge(scene.admin, panic)
  expect(await unread()).toEqual([])
})

test('panic pressed on and on -> the back office reads the alarm once in ten seconds, the last position counts', async () => {
  const { rider, id } = await scene.started()
  const announced = () => scene.written.filter((kind) => kind === tableChangedKind).length
  const before = announced()
  for (let press = 0; press < 5; press++) await scene.safety.panic(rider, id, along(press / 10), null)
  expect(announced()).toBe(before + 1)
  expect((await alarmOf(id))?.point).toMatchObject(along(0.4))
  await scene.clock.advance(10_000)
  await scene.safety.panic(rider, id, null, null)
  expect(announced()).toBe(before + 2)
  expect((await scene.moments(id)).filter((what) => what === 'repeated')).toHaveLength(5)
})

test('alarm closed after the rider’s account was deleted -> position and notes are removed', async () => {
  const { rider, id } = await scene.started()
  const alarm = await scene.safety.panic(rider, id, along(0.4), null)
  await scene.safety.acknowledge(scene.admin, alarm)
  await scene.safety.addNote(scene.admin, alarm, 'Called the rider')
  const { pool } = scene.city.database
  await pool.query('update users set deleted_at = 1, approved = false where id = $1', [rider.id])
  const { point, timeline } = await scene.safety.resolve(scene.admin, alarm, 'All is well')
  expect(point).toBeNull()
  expect(timeline.map((moment) => [moment.point, moment.note])).toEqual(timeline.map(() => [null, null]))
})
