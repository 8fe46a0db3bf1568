import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSheetWriter } from '../../platform/pdf/sheet-writer.ts'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { createLabelsService, labelsOf } from './labels.ts'

let city: TestCity
const pdf = createSheetWriter()
beforeAll(async () => {
  city = await createTestCity()
  city.changeSettings({ category: 'delivery' })
})
afterAll(async () => {
  pdf.close()
  await city.close()
})

const texts = { 'delivery.label_stop': '{{number}} of {{total}}', 'delivery.label_from': 'From {{sender}}' }
const languages = {
  start: async () => ({ langLocale: 'ar' }),
  pack: async () => ({ keyValuePairs: texts, direction: 'rtl' as const }),
} as unknown as Parameters<typeof createLabelsService>[0]['languages']

async function delivery(): Promise<{ rider: Actor; id: string }> {
  const rider = await city.addRider({ wallet_balance: 10_000 * unit })
  await city.addDriver()
  const { booking } = await city.bookings.create(
    rider,
    city.request({
      payment_mode: 'wallet',
      instructionData: {
        deliveryPerson: 'ليلى',
        deliveryPersonPhone: '099 111 222',
        deliveryInstructions: 'Ring twice',
        moreDrops: [
          {
            deliveryPerson: 'Ben',
            deliveryPersonPhone: '099 333 444',
            drop: { lat: -34.87, lng: -56.16, add: 'Second' },
          },
        ],
      },
    }),
    null,
  )
  return { rider, id: booking.id }
}

test('labels: one for each drop, in visiting order, with the text that the courier scans', async () => {
  const { rider, id } = await delivery()
  const record = await city.bookings.get(rider, id)
  const { booking_id } = record.booking
  expect(labelsOf(await city.bookings.view(rider, record), texts)).toMatchObject([
    { heading: '1 of 2', person: 'ليلى', instructions: 'Ring twice', code: `${booking_id}-1` },
    { heading: '2 of 2', person: 'Ben', address: 'Second', code: `${booking_id}-2` },
  ])
})

test('file: sender and admin -> a PDF; courier and strangers -> not_found', async () => {
  const { rider, id } = await delivery()
  const labels = createLabelsService({ database: city.database, bookings: city.bookings, languages, pdf })
  for (const actor of [rider, await city.addAdmin()]) {
    expect((await labels.ofBooking(actor, id, null)).subarray(0, 5).toString()).toBe('%PDF-')
  }
  const courier = await city.addDriver()
  await expect.poll(async () => (await city.bookings.read(id))?.booking.status).toBe('NEW')
  await city.ask(id, [courier])
  await city.bookings.commands.accept(city.order(courier, id))
  for (const actor of [courier, await city.addRider()]) {
    await expect(labels.ofBooking(actor, id, null)).rejects.toMatchObject({ key: 'not_found' })
  }
})
