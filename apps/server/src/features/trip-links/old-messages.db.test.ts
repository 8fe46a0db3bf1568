import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unit } from '@hansom/domain/money/amount'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { applySql, dropViews, findServerFolder } from '../../platform/database/migrate.ts'
import { createJobs, type Jobs } from '../../platform/jobs/jobs.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { pickup } from '../bookings/straight-city.fixture.ts'
import { testWriters } from '../messages/writers.fixture.ts'
import { informRecipients } from './inform-recipients.ts'
import { hashOf } from './recipient-messages.ts'
import { createTripLinksService, type TripLinksService } from './service.ts'

const formerJob = 'deliveries.tell-recipient'
const texts: { to: string }[] = []
/** Publishes an event of the outbox. */
let publish: (payload: Record<string, unknown>) => Promise<void> = async () => {}
let city: TestCity
let links: TripLinksService
let jobs: Jobs
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  city.changeSettings({ category: 'delivery', deliveryCash: true })
  links = createTripLinksService({
    ...city,
    changeInstructions: async () => {},
    correctRecipient: async () => false,
    proofFile: async () => null,
  })
})
afterAll(async () => {
  await jobs?.stop()
  await city.close()
})

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await city.database.pool.query<Row>(text, values)).rows

const place = { lat: -34.87, lng: -56.16, add: 'Second street 2' }
const drop = (deliveryPerson: string, digit: number) => ({
  deliveryPerson,
  deliveryPersonPhone: `099 111 22${digit}`,
})

/** A delivery with three drops that two couriers returned; a third one has it. Its bookings in order. */
async function returnedTwice(): Promise<string[]> {
  const rider = await city.addRider({ wallet_balance: 1_000 * unit })
  const instructionData = {
    ...drop('Ada', 1),
    moreDrops: [
      { drop: place, ...drop('Ben', 2) },
      { drop: { ...place, lng: -56.15 }, ...drop('Cleo', 3) },
    ],
  }
  await city.addDriver(pickup)
  const { booking } = await city.bookings.create(rider, city.request({ instructionData }), null)
  const ids = [booking.id]
  for (;;) {
    const id = ids.at(-1) ?? ''
    const driver = await city.addDriver(pickup)
    await city.ask(id, [driver])
    await city.bookings.commands.accept(city.order(driver, id))
    if (ids.length === 3) break
    const returned = await city.bookings.commands.cancel(city.order(driver, id), { reason: 'flat tyre' })
    ids.push(returned.booking.rebooked_as ?? '')
  }
  await city.outbox.idle()
  return ids
}

/** The tables as they were before migration 0086. */
const before0086 = [
  'drop table recipient_message_counts',
  'drop index trip_links_once',
  'alter table trip_links drop constraint trip_links_message, drop column sent_at',
  'alter table trip_links rename column message to told',
  'create index trip_links_of_stop on trip_links (booking_id, stop) where stop is not null',
  'alter table delivery_stops drop column not_informed',
]

async function migrate0086(): Promise<void> {
  const folder = findServerFolder('migrations')
  const file = readdirSync(folder).find((name) => name.endsWith('_recipient_messages.sql')) ?? ''
  const statements = readFileSync(join(folder, file), 'utf8').split('--> statement-breakpoint')
  // In one transaction, as at a start.
  await city.database.withTransaction(async ({ client }) => {
    for (const statement of statements) await client.query(statement)
  })
  const client = await city.database.pool.connect()
  await applySql(client, findServerFolder('sql'), file).finally(() => client.release())
}

/** A job that the previous version left in its queue. */
async function leaveJob(data: object): Promise<void> {
  const former = createJobs(city.database, city.clock, silentLog())
  let attempts = 0
  former.define(formerJob, { schema: z.object({}).loose() }, async () => {
    attempts += 1
    throw new Error('the server was killed')
  })
  await former.start()
  await former.send(formerJob, data)
  await expect.poll(() => attempts).toBeGreaterThan(0)
  await former.stop()
}

function startInforming(): Promise<void> {
  const settings = { ...city.settings, country: 'UY', version: 1 }
  jobs = createJobs(city.database, city.clock, silentLog())
  const channels = {
    mail: { send: async () => {} },
    sms: { send: async ({ to }: { to: string }) => void texts.push({ to }) },
  }
  informRecipients({
    ...channels,
    jobs,
    clock: city.clock,
    demo: false,
    mailbox: channels,
    noteNotInformed: async () => {},
    outbox: {
      onBatch: (_, handler) => {
        publish = (payload) =>
          city.database.withTransaction(async (tx) => {
            await handler([{ id: 1, at: 1, tries: 0, writtenAt: 0, stream: '', kind: '', payload }], tx)
          })
      },
    },
    log: silentLog(),
    bookings: city.bookings,
    database: city.database,
    settings: { current: async () => settings },
    writers: testWriters(city, async () => settings),
    siteUrl: () => 'https://parcels.test',
  })
  return jobs.start()
}

test('migration: links and jobs of the previous version -> one row per message, links still work', async () => {
  const [first = '', second = '', third = ''] = await returnedTwice()
  const client = await city.database.pool.connect()
  await dropViews(client).finally(() => client.release())
  for (const statement of before0086) await city.database.pool.query(statement)
  const old: [token: string, booking: string, at: number, stop: number | null, told: string | null][] = [
    // Two jobs sent the same message. The later row is in the place of a removed one.
    ['ada-2', first, 20, 1, 'coming'],
    ['ada-1', first, 10, 1, 'coming'],
    // Sent for each of the bookings.
    ['ben-2', second, 30, 2, 'coming'],
    ['ben-1', first, 10, 2, 'coming'],
    ['ben-3', third, 40, 2, 'coming'],
    ['ben-done', third, 50, 2, 'outcome'],
    // Not sent: the server was killed before.
    ['cleo-1', third, 40, 3, null],
    ['own', second, 5, null, null],
  ]
  for (const [token, booking, at, stop, told] of old) {
    await city.database.pool.query(
      'insert into trip_links (token_hash, booking_id, created_at, stop, told) values ($1, $2, $3, $4, $5)',
      [hashOf(token), booking, at, stop, told],
    )
  }
  await city.database.pool.query('update trip_links set revoked_at = 6 where token_hash = $1', [
    hashOf('own'),
  ])
  await leaveJob({ booking: third, stop: 3, text: 'coming' })

  await migrate0086()

  const kept = await rows<{ token_hash: string }>('select * from trip_links order by stop, created_at')
  const row = (token: string, at: number, stop: number | null, message: string | null) => ({
    token_hash: hashOf(token),
    booking_id: first,
    created_at: at,
    revoked_at: null,
    stop,
    message,
    sent_at: stop === null ? null : at,
  })
  expect(kept).toEqual([
    row('ada-2', 20, 1, 'coming'),
    row('ben-3', 40, 2, 'coming'),
    row('ben-done', 50, 2, 'outcome'),
    { ...row('own', 5, null, null), booking_id: second, revoked_at: 6 },
  ])
  expect((await links.show('ben-3')).parcel?.place).toEqual(place)

  await startInforming()
  await expect.poll(() => texts, { timeout: 20_000 }).toEqual([{ to: '+59899111223' }])
  // A job that had sent its message before the server was killed.
  await jobs.send(formerJob, { booking: third, stop: 1, text: 'coming' })
  await expect.poll(() => jobs.openData(formerJob), { timeout: 20_000 }).toEqual([])
  expect(texts).toHaveLength(1)

  // An event of the previous version, which does not name the stop that has an outcome.
  await city.database.pool.query(
    `update delivery_stops set outcome = 'failed', failure = 'refused', done_at = 1 where booking_id = $1 and n = 1`,
    [third],
  )
  await publish({ booking: third, command: 'fail_drop', from: 'STARTED', to: 'STARTED', effects: [] })
  await expect.poll(() => texts.slice(1), { timeout: 20_000 }).toEqual([{ to: '+59899111221' }])
})
