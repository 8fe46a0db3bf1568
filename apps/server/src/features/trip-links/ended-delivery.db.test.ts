import { MessageLimitError } from '@hansom/domain/messages/message-error'
import { smsSegments } from '@hansom/domain/messages/sms-length'
import { unit } from '@hansom/domain/money/amount'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJobs, type Jobs } from '../../platform/jobs/jobs.ts'
import { silentLog } from '../../platform/log/log.ts'
import type { OutboxEvent } from '../../platform/outbox/event.ts'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { pickup } from '../bookings/straight-city.fixture.ts'
import { testWriters } from '../messages/writers.fixture.ts'
import { informRecipients } from './inform-recipients.ts'

const texts: { to: string; kind: string }[] = []
/** What they said. */
const said: string[] = []
const problems: object[] = []
const events: OutboxEvent[] = []
/** Why the next text is not sent. */
let refuse: (text: string) => Error | null = () => null
let siteUrl = 'https://parcels.test'
/** Publishes events once more, as after a crash. */
let publishAgain: (events: OutboxEvent[]) => Promise<void> = async () => {}
let city: TestCity
let jobs: Jobs
/** Of the installation. */
let defaultLanguage = 'en'

beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  city.changeSettings({ category: 'delivery', deliveryCash: true })
  jobs = createJobs(city.database, city.clock, silentLog())
  // Prices with the symbol behind, which a no-break space precedes.
  const settings = { ...city.settings, swipe_symbol: true, country: 'UY', version: 1 }
  const channels = {
    mail: { send: async () => {} },
    sms: {
      send: async ({ to, kind, text }: { to: string; kind: string; text: string }) => {
        const error = refuse(text)
        if (error !== null) throw error
        texts.push({ to, kind })
        said.push(text)
      },
    },
  }
  const writers = testWriters(city, async () => settings)
  informRecipients({
    ...channels,
    jobs,
    clock: city.clock,
    demo: false,
    mailbox: channels,
    noteNotInformed: async (_booking, stop, problem) => void problems.push({ stop, problem }),
    outbox: {
      onBatch: (kind, handler) => {
        publishAgain = (batch) => city.database.withTransaction(async (tx) => handler(batch, tx))
        city.outbox.onBatch(kind, async (batch, tx) => {
          events.push(...batch)
          await handler(batch, tx)
        })
      },
    },
    log: silentLog(),
    bookings: city.bookings,
    database: city.database,
    settings: { current: async () => settings },
    writers: { writerFor: (locale) => writers.writerFor(locale ?? defaultLanguage) },
    siteUrl: () => siteUrl,
  })
  await jobs.start()
})
afterAll(async () => {
  await jobs.stop()
  await city.close()
})

async function settled() {
  await city.outbox.idle()
  await expect.poll(() => jobs.openData('deliveries.inform-recipient'), { timeout: 20_000 }).toEqual([])
}

const drop = (deliveryPerson: string, digit: number) => ({
  deliveryPerson,
  deliveryPersonPhone: `099 111 22${digit}`,
})
const place = (lng: number) => ({ lat: -34.87, lng, add: `Place ${lng}` })

test('ended by an admin -> informed recipients of open stops get one message, also when repeated', async () => {
  const rider = await city.addRider({ wallet_balance: 1_000 * unit })
  const driver = await city.addDriver(pickup)
  const instructionData = {
    ...drop('Ada', 1),
    moreDrops: [
      { drop: place(-56.16), ...drop('Ben', 2) },
      { drop: place(-56.15), ...drop('Cleo', 3) },
    ],
  }
  const { booking } = await city.bookings.create(rider, city.request({ instructionData }), null)
  const { id, trip_cost } = booking
  await city.ask(id, [driver])
  const { commands } = city.bookings
  await commands.accept(city.order(driver, id))
  await settled()
  expect(texts.map(({ kind }) => kind)).toEqual(Array(3).fill('parcel_coming_sms'))
  await commands.arrive(city.order(driver, id))
  await commands.start(city.order(driver, id), { cash: trip_cost })
  await commands.deliver(city.order(driver, id), { stop: 1, name: 'Ada' })
  // The message to Cleo was not sent.
  const forgotten = 'update trip_links set sent_at = null where booking_id = $1 and stop = 3'
  await city.database.pool.query(forgotten, [id])

  const admin = await city.addAdmin()
  const reason = 'Courier disappeared'
  const ends = await Promise.allSettled(
    Array.from({ length: 5 }, () => commands.reach(city.order(admin, id), { reason })),
  )
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await settled()
  await commands.close(city.order(admin, id), { reason })
  await settled()
  await publishAgain(events)
  await settled()
  expect(texts.slice(3)).toEqual([{ to: '+59899111222', kind: 'parcel_cancelled_sms' }])

  const { rows } = await city.database.pool.query(
    `select title, params->>'stops' as stops from user_notifications
      where user_id = $1 and booking_id = $2 and title in ('notify.delivery_ended.title', 'notify.rider_paid.title')`,
    [rider.id, id],
  )
  expect(rows).toEqual([{ title: 'notify.delivery_ended.title', stops: '2' }])
})

test('text beyond the daily limit -> the sender sees that the recipient knows nothing, and no cancellation follows', async () => {
  const rider = await city.addRider({ wallet_balance: 1_000 * unit })
  const driver = await city.addDriver(pickup)
  const instructionData = { ...drop('Dan', 4), moreDrops: [{ drop: place(-56.16), ...drop('Eve', 5) }] }
  const { booking } = await city.bookings.create(rider, city.request({ instructionData }), null)
  await city.ask(booking.id, [driver])
  texts.length = 0
  refuse = () => new MessageLimitError()
  await city.bookings.commands.accept(city.order(driver, booking.id))
  await settled()
  refuse = () => null
  // The messages of the stops are sent in parallel.
  expect(problems).toHaveLength(2)
  expect(problems).toEqual(expect.arrayContaining([1, 2].map((stop) => ({ stop, problem: 'limit' }))))
  await city.bookings.commands.cancel(city.order(rider, booking.id), { reason: 'changed my mind' })
  await settled()
  expect(texts).toEqual([])
})

// Long enough that the amount does not fit beside the link.
const longUrl = `https://${'parcels'.repeat(21)}.test`

/** A delivery to Finn, who pays in cash: the link and the amount are two texts if the site's URL is long. */
async function acceptedWithCash(url = longUrl) {
  siteUrl = url
  const rider = await city.addRider({ wallet_balance: 1_000 * unit })
  const driver = await city.addDriver(pickup)
  const instructionData = { ...drop('Finn', 6), cash_at: 'drop' as const }
  const { booking } = await city.bookings.create(rider, city.request({ instructionData }), null)
  await city.ask(booking.id, [driver])
  texts.length = 0
  problems.length = 0
  await city.bookings.commands.accept(city.order(driver, booking.id))
  await settled()
  return { rider, id: booking.id }
}
const isCash = (text: string) => text.includes('in cash')
const kinds = () => texts.map(({ kind }) => kind)

test('amount in cash beyond the daily limit -> the recipient has the link, and learns of a cancellation', async () => {
  refuse = (text) => (isCash(text) ? new MessageLimitError() : null)
  const { rider, id } = await acceptedWithCash()
  refuse = () => null
  expect([kinds(), problems]).toEqual([['parcel_coming_sms'], []])
  await city.bookings.commands.cancel(city.order(rider, id), { reason: 'changed my mind' })
  await settled()
  expect(kinds()).toEqual(['parcel_coming_sms', 'parcel_cancelled_sms'])
})

test('amount in cash fails once -> sent by the retry, without the link again', async () => {
  let failed = 0
  refuse = (text) => (isCash(text) && failed++ === 0 ? new Error('no connection') : null)
  await acceptedWithCash()
  refuse = () => null
  expect([kinds(), failed]).toEqual([['parcel_coming_sms', 'parcel_coming_sms'], 2])
})

test.each(['es', 'fr'])(
  'amount in cash in %s -> in one text with the link, or apart as one message',
  async (language) => {
    defaultLanguage = language
    said.length = 0
    await acceptedWithCash('https://parcels.test')
    expect(said).toEqual([expect.stringMatching(/https:.* (efectivo|especes|espèces)/)])
    expect(said.map(smsSegments)).toEqual([2])
    said.length = 0
    await acceptedWithCash()
    defaultLanguage = 'en'
    expect(said).toEqual([expect.stringContaining(longUrl), expect.not.stringContaining('https:')])
    expect(said.map(smsSegments)[1]).toBe(1)
  },
)
