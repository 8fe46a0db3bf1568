import { randomUUID } from 'node:crypto'
import type { Actor } from '@hansom/domain/access/relation'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestCity, type TestCity } from './booking-city.fixture.ts'
import { runCommand } from './run-command.ts'
import { pickup } from './straight-city.fixture.ts'

let city: TestCity
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
})
afterEach(() => {
  city.settings.AllowCriticalEditsAdmin = true
})
afterAll(() => city.close())

async function acceptedTrip(): Promise<{ rider: Actor; driver: Actor; id: string }> {
  const [rider, driver] = [await city.addRider(), await city.addDriver(pickup)]
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  return { rider, driver, id: booking.id }
}

test('accept, decline: driver was never asked -> not_found; driver was asked -> the actual reason', async () => {
  const { id } = await acceptedTrip()
  const rider = await city.addRider()
  const [asked, stranger] = [await city.addDriver(pickup), await city.addDriver(pickup)]
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [asked])
  const { accept, decline } = city.bookings.commands
  for (const command of [accept, decline]) {
    for (const one of [id, booking.id, randomUUID()]) {
      await expect(command(city.order(stranger, one))).rejects.toMatchObject({ key: 'not_found' })
    }
  }
  await decline(city.order(asked, booking.id))
  await expect(accept(city.order(asked, booking.id))).rejects.toMatchObject({ key: 'not_requested' })

  const [first, second] = [await city.addDriver(pickup), await city.addDriver(pickup)]
  await city.ask(booking.id, [first, second])
  await accept(city.order(first, booking.id))
  await expect(accept(city.order(second, booking.id))).rejects.toMatchObject({ key: 'already_taken' })
  await expect(accept(city.order(stranger, booking.id))).rejects.toMatchObject({ key: 'not_found' })
})

test('runCommand: actor may not give the command -> input is not built', async () => {
  const { rider, id } = await acceptedTrip()
  const looked = vi.fn(() => ({ command: 'rate', rating: 5 }) as const)
  const strange = {
    booking: id,
    by: { role: 'rider', id: randomUUID() },
    command: 'rate',
    input: looked,
  } as const
  await expect(runCommand(city.waveDeps, strange)).rejects.toMatchObject({ key: 'not_found' })
  const early = { ...strange, by: { role: 'rider', id: rider.id } } as const
  await expect(runCommand(city.waveDeps, early)).rejects.toMatchObject({ key: 'wrong_status' })
  expect(looked).not.toHaveBeenCalled()
})

test('note: written at creation -> stored, also by a replacement booking', async () => {
  const [rider, driver] = [await city.addRider(), await city.addDriver(pickup)]
  const { booking } = await city.bookings.create(rider, city.request({ note: ' Blue door ' }), null)
  expect((await city.bookings.get(rider, booking.id)).booking.note).toBe('Blue door')
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  const cancelled = await city.bookings.commands.cancel(city.order(driver, booking.id), {
    reason: 'flat tyre',
  })
  const next = cancelled.booking.rebooked_as ?? ''
  expect((await city.bookings.get(rider, next)).booking).toMatchObject({ id: next, note: 'Blue door' })
})

test('preferred name -> shown on the trip instead of the first name', async () => {
  const rider = await city.addRider({ preferred_name: 'Ani', last_name: 'Ruiz' })
  const driver = await city.addDriver(pickup, { preferred_name: 'Beto', last_name: 'Paz' })
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  const accepted = await city.bookings.commands.accept(city.order(driver, booking.id))
  expect(accepted.booking).toMatchObject({ customer_name: 'Ani Ruiz', driver_name: 'Beto Paz' })
})

test('promo: eight concurrent bookings for the last three uses -> three get it', async () => {
  await city.addDriver(pickup)
  const promo = randomUUID()
  await city.database.pool.query(
    `insert into promos (id, promo_name, promo_discount_type, promo_discount_value, max_promo_discount_value,
      promo_validity, promo_usage_limit, created_at) values ($1, 'RUSH', 'flat', 10000, 0, $2, 3, 0)`,
    [promo, city.clock.now()],
  )
  const riders = await Promise.all(Array.from({ length: 8 }, () => city.addRider()))
  const book = (rider: Actor) => city.bookings.create(rider, city.request({ promo: 'rush' }), null)
  const tried = await Promise.allSettled(riders.map(book))
  const made = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value.booking] : []))
  expect(made).toHaveLength(3)
  for (const one of tried) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ key: 'promo_not_valid' })
  }
  const rider = { id: made[0]?.customer as string, role: 'rider' as const, approved: true }
  await city.bookings.commands.cancel(city.order(rider, made[0]?.id as string), { reason: 'x' })
  expect((await book(rider)).booking.promo_applied).toBe(true)
  await expect(book(rider)).rejects.toMatchObject({ key: 'promo_not_valid' })
})

const commandsFor = async (actor: Actor, id: string) =>
  (await city.bookings.view(actor, await city.bookings.get(actor, id))).commands

test('cancel: critical edits are off -> demo_mode for rider and admin, command not offered', async () => {
  const { rider, driver, id } = await acceptedTrip()
  const admin = await city.addAdmin()
  city.settings.AllowCriticalEditsAdmin = false
  for (const person of [rider, admin]) {
    expect(await commandsFor(person, id)).not.toContain('cancel')
    const refused = { key: 'demo_mode' }
    await expect(city.bookings.cancellation(person, id)).rejects.toMatchObject(refused)
    const cancelling = city.bookings.commands.cancel(city.order(person, id), { reason: 'x' })
    await expect(cancelling).rejects.toMatchObject(refused)
  }
  expect(await commandsFor(driver, id)).toContain('cancel')
  expect(await city.bookings.cancellation(driver, id)).toMatchObject({ fee: 0, free: true, why: 'free' })
  const { booking } = await city.bookings.commands.cancel(city.order(driver, id), { reason: 'flat tyre' })
  expect(booking.status).toBe('CANCELLED')
})
