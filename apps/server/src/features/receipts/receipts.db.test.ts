import type { Receipt } from '@hansom/contract/receipts'
import { unit } from '@hansom/domain/money/amount'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scene } from '../../access-scene.fixture.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { createPaymentScene, type PaymentScene } from '../payments/payments.fixture.ts'

let city: PaymentScene
beforeAll(async () => {
  city = await createPaymentScene()
  await city.app.start()
})
afterAll(() => city.app.close())

const fare_parts = {
  base: 40 * unit,
  distance: 50 * unit,
  time: 10 * unit,
  extras: 0,
  minimum_top_up: 0,
  trip_cost: 110 * unit,
  convenience_fees: 10 * unit,
  driver_share: 100 * unit,
}

/** A trip of 110 that is paid by card. */
async function paidTrip(): Promise<Scene> {
  const trip = await city.trip('PENDING', { fare_parts, decimal: 2 })
  const { id } = await city.pay(trip, 'stripe')
  const reference = (await city.payment(id))?.reference ?? ''
  city.one.pay(reference)
  await city.webhook('stripe', `evt-${id}`, reference)
  while (!(await city.payment(id))?.closed) await systemClock.delay(10)
  return trip
}

/** A paid trip of 110 without an event: of an earlier release. */
const cashTrip = () => city.trip('PAID', { fare_parts, decimal: 2, cash_payment_amount: 110 * unit })

async function refundCard(trip: Scene, amount: number) {
  const payment = (
    await city.rows<{ id: string }>('select id from payments where booking = $1', [trip.booking])
  )[0]
  const wish = { source: 'card', payment: payment?.id, amount, bearer: 'platform', reason: 'A long way' }
  await city.call(trip, 'admin', 'POST', '/api/v1/refunds', { booking: trip.booking, ...wish })
}

const show = (trip: Scene, member: 'rider' | 'driver' | 'otherRider' | 'admin') =>
  city.call<Receipt>(trip, member, 'GET', `/api/v1/bookings/${trip.booking}/receipt`)

/** The receipts sent for a booking, once there are `count`. */
async function mails(trip: Scene, count: number) {
  const [booking] = await city.rows<{ code: string }>(
    'select booking_id as code from bookings where id = $1',
    [trip.booking],
  )
  const sent = () =>
    city.rows<{ subject: string; text: string; to: string }>(
      `select subject, text, "to" from outbox_messages where kind = 'receipt' and params->>'number' = $1`,
      [booking?.code],
    )
  await expect.poll(async () => (await sent()).length, { timeout: 15_000 }).toBe(count)
  return sent()
}

describe('receipt', () => {
  test('show: paid trip -> all lines, payments and refunds; driver, stranger -> 404', async () => {
    const trip = await paidTrip()
    const { body, status } = await show(trip, 'rider')
    expect(status).toBe(200)
    expect(body.lines.map(({ key, amount }) => [key, amount / unit])).toEqual([
      ['trip.part_base', 40],
      ['trip.part_distance', 50],
      ['trip.part_time', 10],
      ['trip.part_convenience_fees', 10],
      ['trip.total', 110],
    ])
    expect(body.paid).toMatchObject([{ key: 'trip.paid_card', amount: 110 * unit, provider: 'stripe' }])
    expect(body.paid[0]?.reference).toMatch(/-1$/)
    expect(body.net).toBe(110 * unit)
    expect((await show(trip, 'driver')).status).toBe(404)
    expect((await show(trip, 'otherRider')).status).toBe(404)

    await refundCard(trip, 30 * unit)
    const after = (await show(trip, 'admin')).body
    expect(after.refunds).toMatchObject([{ amount: 30 * unit, reason: 'A long way' }])
    expect(after.net).toBe(80 * unit)
  })

  test('show: trip not paid -> wrong_status', async () => {
    const trip = await city.trip('PENDING', { fare_parts })
    expect(await show(trip, 'rider')).toMatchObject({ status: 409, body: { error: 'wrong_status' } })
  })

  test('mail: trip paid -> sent once; rider requests it -> sent again', async () => {
    const trip = await paidTrip()
    const [first] = await mails(trip, 1)
    expect(first?.text).toContain('110.00')
    expect(first?.text).toContain(`/receipt/${trip.booking}`)
    expect(first?.to).toContain(trip.ids.rider)
    const url = `/api/v1/bookings/${trip.booking}/receipt/mail`
    expect((await city.call(trip, 'rider', 'POST', url, {})).status).toBe(202)
    await mails(trip, 2)
    expect((await city.call(trip, 'otherRider', 'POST', url, {})).status).toBe(404)
    // What a limit of the day would drop is not promised.
    const useUp = (messages: number) =>
      city.rows(
        `update message_counts set sent = sent + ${messages} where key = 'mails total' returning sent`,
        [],
      )
    await useUp(1_000_000)
    expect((await city.call(trip, 'rider', 'POST', url, {})).body).toMatchObject({ error: 'message_limit' })
    await useUp(-1_000_000)
    // More at once than there are connections, none of which waits for a second one.
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await city.call(trip, 'rider', 'POST', url, {})).status),
    )
    expect(new Set(statuses)).toEqual(new Set([202]))
    await city.rows(
      "delete from pgboss.job where name = 'receipts.mail' and state = 'created' returning id",
      [],
    )
  })

  test('mail: rider who reads Spanish -> the car type by its Spanish name', async () => {
    await city.rows(`update car_types set translations = '{"es":{"name":"Económico"}}' returning id`, [])
    const trip = await cashTrip()
    await city.rows(`update users set locale = 'es' where id = $1 returning id`, [trip.ids.rider])
    await city.call(trip, 'rider', 'POST', `/api/v1/bookings/${trip.booking}/receipt/mail`, {})
    const [sent] = await mails(trip, 1)
    expect(sent?.text).toContain('Económico')
    expect(sent?.text).not.toContain('Economy')
  })

  test('booking that cost nothing -> paid without a receipt', async () => {
    const none = { trip_cost: 0, convenience_fees: 0, driver_share: 0 }
    const parts = { ...fare_parts, ...none, base: 0, distance: 0, time: 0 }
    const free = await city.trip('REACHED', { ...none, fare_parts: parts, decimal: 2 })
    const close = `/api/v1/bookings/${free.booking}/close`
    const { body } = await city.call<{ status: string }>(free, 'driver', 'POST', close, {})
    expect(body.status).toBe('PAID')
    // Events are published in order.
    await mails(await paidTrip(), 1)
    expect(await city.rows('select 1 from receipts where booking = $1', [free.booking])).toEqual([])
    expect(await mails(free, 0)).toEqual([])
    expect((await show(free, 'rider')).status).toBe(409)
  })

  test('numbers: ten receipts shown at the same time, twice each -> one number each, without gaps', async () => {
    const trips = await Promise.all(Array.from({ length: 10 }, () => cashTrip()))
    const shown = await Promise.all([...trips, ...trips].map((trip) => show(trip, 'rider')))
    const serials = shown.map(({ body }) => body.serial)
    expect(serials.slice(0, 10)).toEqual(serials.slice(10))
    expect(new Set(serials).size).toBe(10)
    const counters = await city.rows(
      `select c.year from receipt_counters c
        where c.last <> (select count(*) from receipts r where r.year = c.year)
          or c.last <> (select coalesce(max(number), 0) from receipts r where r.year = c.year)`,
    )
    expect(counters).toEqual([])
  })

  test('trip of an earlier release -> issued when first read; settings changed later -> keeps issuer, prefix and tax', async () => {
    const earlier = await cashTrip()
    const readAt = systemClock.now()
    const before = (await show(earlier, 'rider')).body
    expect(before.issued_at).toBeGreaterThanOrEqual(readAt)
    expect(before).toMatchObject({ tax: [], operator: { address: '', tax_number: '' } })
    const details = {
      CompanyAddress: 'Main Street 1',
      tax_number: '12-345',
      receipt_prefix: 'H',
      tax_name: 'VAT',
      fare_tax_rate: 22 * unit,
      fee_tax_rate: 22 * unit,
    }
    await city.app.database.withTransaction((tx) => city.app.services.settings.update(tx, details))
    expect((await show(earlier, 'rider')).body).toEqual(before)
    const { body } = await show(await cashTrip(), 'rider')
    expect(body.serial).toMatch(/^H-\d{4}-\d{6}$/)
    expect(body.operator).toMatchObject({ address: 'Main Street 1', tax_number: '12-345' })
    expect(body.tax).toEqual([{ name: 'VAT', rate: 22 * unit, base: 90.16 * unit, amount: 19.84 * unit }])
    expect(body.net_tax).toEqual([])
    const byCard = await paidTrip()
    await refundCard(byCard, 55 * unit)
    expect((await show(byCard, 'rider')).body.net_tax).toEqual([
      { name: 'VAT', rate: 22 * unit, base: 45.08 * unit, amount: 9.92 * unit },
    ])
  })

  test('pdf: rider, admin -> a file; driver, other rider, no booking -> 404', async () => {
    const trip = await cashTrip()
    const get = (member: 'rider' | 'admin' | 'driver' | 'otherRider', id = trip.booking) =>
      city.app.server.inject({
        method: 'GET',
        url: `/api/v1/bookings/${id}/receipt.pdf`,
        headers: { authorization: trip.bearers[member] },
      })
    const file = await get('rider')
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.pdf"$/)
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    const others = [
      await get('admin'),
      await get('driver'),
      await get('otherRider'),
      await get('rider', 'none'),
    ]
    expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 404, 404, 404])
  })
})
