import type { Actor } from '@hansom/domain/access/relation'
import type { Booking } from '@hansom/domain/bookings/booking'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCity, type TestCity, taxiTest } from './booking-city.fixture.ts'
import { runCommand } from './run-command.ts'
import { pickup } from './straight-city.fixture.ts'

let city: TestCity
beforeAll(async () => {
  city = await createTestCity()
})
afterAll(() => city.close())

async function driveToTheEnd(driver: Actor, rider: Actor, id: string): Promise<void> {
  const { commands } = city.bookings
  const order = city.order(driver, id)
  await commands.arrive(order)
  await commands.start(order, {})
  await commands.reach(order, {})
  await commands.close(order, {})
  await commands.skip_rating(city.order(rider, id))
}

test('repeated command: after the trip -> one effect, response shows the current view', async () => {
  const rider = await city.addRider({ mobile: '+59899123456' })
  const driver = await city.addDriver(pickup)
  const { bookings } = city
  const made = await bookings.create(rider, city.request(), 'key-of-create')
  const { id } = made.booking
  await city.ask(id, [driver])
  const order = city.order(driver, id, 'key-of-accept')
  const first = await bookings.commands.accept(order)
  expect(first.booking.status).toBe('ACCEPTED')
  expect((await bookings.view(driver, first)).customer_contact).toBe('+59899123456')
  expect(await bookings.commands.accept(order)).toEqual(first)
  await driveToTheEnd(driver, rider, id)

  const again = await bookings.commands.accept(order)
  const now = await bookings.get(driver, id)
  expect(again).toEqual(now)
  expect((await bookings.view(driver, again)).customer_contact).toBeNull()
  expect(await bookings.create(rider, city.request(), 'key-of-create')).toEqual(now)
  const events = await bookings.events(await city.addAdmin(), id)
  expect(events.filter(({ command }) => command === 'accept' || command === 'create')).toHaveLength(2)
})

test('idempotency keys: no copy of the booking is stored', async () => {
  const { rows } = await city.database.pool.query('select result from idempotency_keys')
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ result }) => result !== null)).toEqual([])
})

test('repeated key: other body -> idempotency_mismatch', async () => {
  const rider = await city.addRider()
  await city.addDriver(pickup)
  const one = await city.bookings.create(rider, city.request(), null)
  await city.bookings.commands.cancel(city.order(rider, one.booking.id, 'key-of-cancel'), { reason: 'plans' })
  const other = city.bookings.commands.cancel(city.order(rider, one.booking.id, 'key-of-cancel'), {
    reason: 'x',
  })
  await expect(other).rejects.toMatchObject({ key: 'idempotency_mismatch' })
})

// For a delivery, the test city adds the cash that is due at the moment to the body.
taxiTest(
  'refused command: same key once it may run -> runs once, and another body was no mismatch',
  async () => {
    const rider = await city.addRider()
    const driver = await city.addDriver(pickup)
    const { bookings } = city
    const { booking } = await bookings.create(rider, city.request(), null)
    await city.ask(booking.id, [driver])
    await bookings.commands.accept(city.order(driver, booking.id))
    const order = city.order(driver, booking.id, 'key-of-start')
    await expect(bookings.commands.start(order, {})).rejects.toMatchObject({ key: 'wrong_status' })
    await bookings.commands.arrive(city.order(driver, booking.id))
    const body = { otp: '12345' }
    const first = await bookings.commands.start(order, body)
    expect(first.booking.status).toBe('STARTED')
    expect((await bookings.commands.start(order, body)).booking.version).toBe(first.booking.version)
    const events = await bookings.events(await city.addAdmin(), booking.id)
    expect(events.filter(({ command }) => command === 'start')).toHaveLength(1)
  },
)

test('refusal that counts a wrong code: same key, also at the same moment -> counted once, same refusal', async () => {
  const rider = await city.addRider()
  const driver = await city.addDriver(pickup)
  const { bookings } = city
  city.settings.otp_secure = true
  const { booking } = await bookings.create(rider, city.request(), null)
  city.settings.otp_secure = false
  await city.ask(booking.id, [driver])
  await bookings.commands.accept(city.order(driver, booking.id))
  await bookings.commands.arrive(city.order(driver, booking.id))
  const otp = booking.otp === '11111' ? '22222' : '11111'
  const enter = (key: string) =>
    bookings.commands.start(city.order(driver, booking.id, key), { otp }).catch((error: unknown) => error)
  const wrong = (left: number) => expect.objectContaining({ key: 'wrong_otp', data: { left } })
  expect(await Promise.all([enter('one'), enter('one'), enter('one')])).toEqual([
    wrong(4),
    wrong(4),
    wrong(4),
  ])
  expect(await enter('one')).toEqual(wrong(4))
  expect(await enter('two')).toEqual(wrong(3))
  expect(await enter('one')).toEqual(wrong(4))
})

test('repeated command: first response was lost -> `applied` gets the current booking', async () => {
  const rider = await city.addRider()
  const driver = await city.addDriver(pickup)
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  const given = {
    booking: booking.id,
    by: { role: 'driver', id: driver.id },
    command: 'accept',
    driver: driver.id,
    input: () => ({ command: 'accept', driveSeconds: 60 }) as const,
    idempotency: { key: 'key-of-lost-answer', body: {} },
  } as const
  const seenBookings: Booking[] = []
  let isLost = true
  const applied = (one: Booking) => {
    if (isLost) throw new Error('connection lost after the commit')
    seenBookings.push(one)
  }
  await expect(runCommand({ ...city.waveDeps, applied }, given)).rejects.toThrow('lost')
  isLost = false
  await runCommand({ ...city.waveDeps, applied }, given)
  expect(seenBookings.map(({ status }) => status)).toEqual(['ACCEPTED'])
})

test('used ledger key: reloaded facts lead to another used key -> retried until none is used', async () => {
  const { pool } = city.database
  const rider = await city.addRider()
  const driver = await city.addDriver(pickup)
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  // A sequence keeps its value when the transaction is rolled back.
  await pool.query(`
    create sequence losses;
    create function lose_twice() returns trigger language plpgsql as $$
    declare loss bigint := nextval('losses');
    begin
      if loss > 2 then return new; end if;
      raise unique_violation using constraint = 'ledger_entries_key_unique',
        detail = 'Key (key)=(' || loss || ') already exists.';
    end $$;
    create trigger lose_twice before update on bookings for each row execute function lose_twice()`)
  const { booking: accepted } = await city.bookings.commands.accept(city.order(driver, booking.id))
  expect(accepted.status).toBe('ACCEPTED')
  const { rows } = await pool.query('select last_value::int as losses from losses')
  expect(rows).toEqual([{ losses: 3 }])
  await pool.query('drop function lose_twice cascade; drop sequence losses')
})
