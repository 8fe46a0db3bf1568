import { MessageLimitError } from '@hansom/domain/messages/message-error'
import { defaultPreferences, type MessagePreferences } from '@hansom/domain/messages/topics'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MailError, type MailMessage } from '../../../adapters/mail/port.ts'
import { manualClock } from '../../../platform/clock/manual-clock.ts'
import { createJobs, type Jobs } from '../../../platform/jobs/jobs.ts'
import { silentLog } from '../../../platform/log/log.ts'
import type { BatchHandler, OutboxEvent } from '../../../platform/outbox/event.ts'
import { createCarTypesService } from '../../car-types/service.ts'
import { createSendOnce } from '../../messages/send-once.ts'
import { testWriters } from '../../messages/writers.fixture.ts'
import { bookingChanged } from '../booking-changed-event.ts'
import { createTestCity, type TestCity } from '../booking-city.fixture.ts'
import { runCommand } from '../run-command.ts'
import { pickup } from '../straight-city.fixture.ts'
import { sendTripMessages } from './send-trip-messages.ts'

const minuteMs = 60_000
const job = 'bookings.mail-rider'
const clock = manualClock()
let city: TestCity
let jobs: Jobs
let handle: BatchHandler
const sent: MailMessage[] = []
const events: OutboxEvent[] = []
let preferences: MessagePreferences
let hasDevice: boolean
const reasons = [
  { id: '1', label: 'Changed my plans', translations: { fr: { label: 'Mes plans ont changé' } } },
] as never
/** Attempts that fail from now on. */
let failing: number
let isFull = false

/** A server with the jobs; a second call is a restart. */
async function startServer(): Promise<void> {
  jobs = createJobs(city.database, city.clock, silentLog())
  sendTripMessages({
    ...city,
    jobs,
    outbox: { onBatch: (_kind, handler) => void (handle = handler) },
    log: silentLog(),
    writers: testWriters(city, async () => city.settings),
    sendOnce: createSendOnce(city.database),
    preferences: {
      preferences: async () => preferences,
      unsubscribeUrl: (_uid, topic) => `https://taxi.test/unsubscribe/${topic}`,
    },
    carTypes: createCarTypesService(city),
    cancelReasons: { all: async () => reasons },
    hasDevice: async () => hasDevice,
    siteUrl: () => 'https://taxi.test',
    mail: {
      close: () => {},
      send: async (message) => {
        failing -= 1
        if (failing >= 0) throw new MailError('no connection', false)
        if (isFull) throw new MessageLimitError()
        sent.push(message)
      },
    },
  })
  await jobs.start()
}

beforeAll(async () => {
  city = await createTestCity({ jobs: false, clock })
  // Drivers may accept long before.
  city.settings.dispatch.leadMinutes = 24 * 60
  await startServer()
  city.outbox.onBatch(bookingChanged, async (batch, tx) => {
    events.push(...batch)
    await handle(batch, tx)
  })
})
beforeEach(async () => {
  await settled()
  sent.length = 0
  events.length = 0
  failing = 0
  preferences = defaultPreferences
  hasDevice = false
})
afterAll(async () => {
  await jobs.stop()
  await city.close()
})

/** Waits until no mail is due; reminders stay in the queue. */
async function settled(): Promise<void> {
  await city.outbox.idle()
  const due = async () => (await jobs.openData(job)).filter(({ message }) => message !== 'reminder')
  await expect.poll(due, { timeout: 30_000 }).toEqual([])
}

async function kinds(): Promise<string[]> {
  await settled()
  return sent.map(({ kind }) => kind)
}

async function bookLater(hours = 24, changes: Record<string, unknown> = {}) {
  const rider = await city.addRider(changes)
  const tripdate = city.clock.now() + hours * 60 * minuteMs
  const { booking } = await city.bookings.create(rider, city.request({ bookLater: true, tripdate }), null)
  return { rider, id: booking.id, tripdate }
}

/** Lets the reminders up to now run, which the queue starts by the time of the machine. */
async function runReminders(): Promise<void> {
  await city.database.pool.query(
    `update pgboss.job set start_after = now() - interval '1 s'
      where name = $1 and data ->> 'message' = 'reminder' and (data ->> 'tripdate')::bigint - 3600000 <= $2`,
    [job, city.clock.now()],
  )
  const due = async () =>
    (await jobs.openData(job)).filter(({ tripdate }) => Number(tripdate) - 60 * minuteMs <= city.clock.now())
  await expect.poll(due, { timeout: 30_000 }).toEqual([])
}

const calendarOf = ({ attachments = [] }: MailMessage) =>
  String(attachments[0]?.content ?? '')
    .replaceAll('\r\n ', '')
    .split('\r\n')
const lineOf = (mail: MailMessage | undefined, name: string) =>
  mail && calendarOf(mail).find((line) => line.startsWith(`${name}:`))

test('booked for later -> confirmation with a calendar entry, in plain text and HTML, that can be turned off', async () => {
  const { id, tripdate } = await bookLater()
  expect(await kinds()).toEqual(['trip_booked'])
  const [mail] = sent
  expect(mail?.unsubscribe).toBe('https://taxi.test/unsubscribe/booking')
  expect(mail?.attachments?.[0]?.contentType).toBe('text/calendar; charset=utf-8; method=PUBLISH')
  expect(mail && calendarOf(mail)).toContain(`UID:${id}@taxi.test`)
  expect(lineOf(mail, 'DTSTART')).toBe(
    `DTSTART:${new Date(tripdate).toISOString().replace(/[-:]|\.\d+/g, '')}`,
  )
  for (const body of [mail?.text, mail?.html]) expect(body).toContain(`https://taxi.test/trip/${id}`)
})

test('beyond the daily limit -> not sent and not noted as sent, and the job ends', async () => {
  isFull = true
  const { id } = await bookLater()
  expect(await kinds()).toEqual([])
  isFull = false
  const noted = await city.database.pool.query('select from sent_messages where occasion = $1', [
    `${id} booked`,
  ])
  expect(noted.rowCount).toBe(0)
  await city.database.withTransaction(async (tx) => handle(events, tx))
  expect(await kinds()).toEqual(['trip_booked'])
})

test('reads Arabic -> Arabic mail from right to left', async () => {
  await bookLater(24, { locale: 'ar' })
  await settled()
  expect(sent[0]?.html).toContain('<html lang="ar" dir="rtl">')
  expect(sent[0]?.subject).toMatch(/^تم حجز/)
})

test('booked now -> confirmed and the driver named, without a calendar entry', async () => {
  const rider = await city.addRider()
  const driver = await city.addDriver(pickup)
  const { booking } = await city.bookings.create(rider, city.request(), null)
  expect(await kinds()).toEqual(['trip_booked'])
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  expect(await kinds()).toEqual(['trip_booked', 'trip_driver'])
  expect(sent.map(({ attachments }) => attachments)).toEqual([[], []])
  await city.bookings.commands.cancel(city.order(rider, booking.id), { reason: 'other' })
})

test('topic turned off, or the account deleted -> none', async () => {
  preferences = { ...defaultPreferences, mails: ['reminder'] }
  await bookLater()
  expect(await kinds()).toEqual([])
  preferences = defaultPreferences
  failing = 2
  const { rider } = await bookLater()
  await city.database.pool.query('update users set deleted_at = 1, approved = false where id = $1', [
    rider.id,
  ])
  expect(await kinds()).toEqual([])
})

test('changed several times at once -> one mail with the last time, same UID, later SEQUENCE', async () => {
  const { rider, id, tripdate } = await bookLater()
  await settled()
  const { change } = city.bookings.commands
  await change(city.order(rider, id), { bookLater: true, tripdate: tripdate + 60 * minuteMs })
  await change(city.order(rider, id), { bookLater: true, tripdate: tripdate + 120 * minuteMs })
  expect(await kinds()).toEqual(['trip_booked', 'trip_changed'])
  const [booked, changed] = sent
  expect(lineOf(changed, 'UID')).toBe(lineOf(booked, 'UID'))
  expect(lineOf(changed, 'DTSTART')).toContain(
    new Date(tripdate + 120 * minuteMs).toISOString().slice(11, 16).replace(':', ''),
  )
  const sequence = (mail: MailMessage | undefined) => Number(lineOf(mail, 'SEQUENCE')?.split(':')[1])
  expect(sequence(changed)).toBeGreaterThan(sequence(booked))
})

test('cancelled by the rider -> mail that removes the calendar entry', async () => {
  const { rider, id } = await bookLater()
  await settled()
  await city.bookings.commands.cancel(city.order(rider, id), { reason: 'Changed my plans' })
  expect(await kinds()).toEqual(['trip_booked', 'trip_cancelled'])
  expect(sent[1]?.attachments?.[0]?.contentType).toContain('method=CANCEL')
  expect(lineOf(sent[1], 'STATUS')).toBe('STATUS:CANCELLED')
  expect(lineOf(sent[1], 'UID')).toBe(lineOf(sent[0], 'UID'))
})

test.each([
  ['en', 'You cancelled this trip.', 'Reason: Changed my plans'],
  ['fr', 'Vous avez annulé cette course.', 'Motif\u00a0: Mes plans ont changé'],
])(
  'cancelled, %s -> who, the reason in the reader’s language, and that it is free',
  async (locale, who, why) => {
    const { rider, id } = await bookLater(24, { locale })
    await settled()
    await city.bookings.commands.cancel(city.order(rider, id), { reason: 'Changed my plans' })
    await settled()
    const text = sent[1]?.text ?? ''
    expect(text).toContain(who)
    expect(text).toContain(why)
    expect(text).toMatch(/You weren’t charged|Rien ne vous a été facturé/)
    expect(text).not.toMatch(/Fare|Prix/)
  },
)

test('cancelled too late -> the fee, and not that it is free', async () => {
  const { rider, id } = await bookLater(1)
  await settled()
  const driver = await city.addDriver(pickup)
  await city.ask(id, [driver])
  await city.bookings.commands.accept(city.order(driver, id))
  clock.step(10 * minuteMs)
  await city.bookings.commands.cancel(city.order(rider, id), { reason: 'Changed my plans' })
  await settled()
  const text = sent.at(-1)?.text ?? ''
  const fee = (await city.bookings.read(id))?.booking.cancellation_fee ?? 0
  expect(fee).toBeGreaterThan(0)
  expect(text).toMatch(/Cancellation fee: .*\d/)
  expect(text).not.toContain('You weren’t charged')
})

test('driver accepts and arrives -> a mail each; with a device none at arrival', async () => {
  const trips = [await bookLater(1), await bookLater(1)]
  await settled()
  for (const [index, { id }] of trips.entries()) {
    hasDevice = index === 1
    const driver = await city.addDriver(pickup, { vehicle_number: `SAB 100${index}` })
    sent.length = 0
    await city.ask(id, [driver])
    await city.bookings.commands.accept(city.order(driver, id))
    await settled()
    await city.bookings.commands.arrive(city.order(driver, id), {})
    expect(await kinds()).toEqual(hasDevice ? ['trip_driver'] : ['trip_driver', 'trip_arrived'])
    expect(sent[0]?.text).toContain(`SAB 100${index}`)
  }
})

test.each(['driver', 'no_driver'])(
  'driver cancels, then %s -> the mail says so, with both numbers',
  async (outcome) => {
    const { id } = await bookLater(1)
    const [first, second] = [await city.addDriver(pickup), await city.addDriver(pickup)]
    const { accept, cancel } = city.bookings.commands
    await city.ask(id, [first])
    await accept(city.order(first, id))
    const { booking } = await cancel(city.order(first, id), { reason: 'flat tyre' })
    const next = booking.rebooked_as ?? ''
    await settled()
    sent.length = 0
    if (outcome === 'driver') {
      await city.ask(next, [second])
      await accept(city.order(second, next))
    } else {
      await runCommand(city.waveDeps, {
        booking: next,
        by: { role: 'system', id: null },
        command: 'find_no_driver',
        input: () => ({ command: 'find_no_driver' }),
      })
    }
    expect(await kinds()).toEqual([`trip_${outcome}`])
    const number = (await city.bookings.read(next))?.booking.booking_id
    expect(sent[0]?.text).toContain(
      `Your driver had to cancel booking ${booking.booking_id}. Your new booking number is ${number}.`,
    )
  },
)

describe('reminder', () => {
  test('an hour before -> one; not if the driver is there, or after a cancellation', async () => {
    const trips = [await bookLater(3), await bookLater(3), await bookLater(3)]
    const [, cancelled, started] = trips
    await settled()
    if (!cancelled || !started) throw new Error('no trips')
    await city.bookings.commands.cancel(city.order(cancelled.rider, cancelled.id), { reason: 'x' })
    const driver = await city.addDriver(pickup)
    const { accept, arrive } = city.bookings.commands
    await city.ask(started.id, [driver])
    await accept(city.order(driver, started.id))
    await arrive(city.order(driver, started.id), {})
    await settled()
    sent.length = 0
    clock.step(119 * minuteMs)
    await runReminders()
    expect(sent).toEqual([])
    clock.step(minuteMs)
    await runReminders()
    expect(sent.map(({ kind, params }) => [kind, params.number])).toEqual([
      ['trip_reminder', (await city.bookings.read(trips[0]?.id ?? ''))?.booking.booking_id],
    ])
  })

  test('trip moved -> only at the new time; server was off until the trip -> none', async () => {
    const moved = await bookLater(3)
    const late = await bookLater(3)
    await settled()
    const tripdate = moved.tripdate + 5 * 60 * minuteMs
    await city.bookings.commands.change(city.order(moved.rider, moved.id), { bookLater: true, tripdate })
    await settled()
    sent.length = 0
    await jobs.stop()
    clock.step(3 * 60 * minuteMs)
    expect(city.clock.now()).toBe(late.tripdate)
    await startServer()
    await runReminders()
    expect(sent).toEqual([])
    clock.step(4 * 60 * minuteMs)
    await runReminders()
    expect(sent.map(({ kind }) => kind)).toEqual(['trip_reminder'])
  })
})

describe('each occasion once', () => {
  test('event delivered again, also at the same time and after a restart -> no second mail', async () => {
    await bookLater()
    expect(await kinds()).toEqual(['trip_booked'])
    const again = () => city.database.withTransaction(async (tx) => handle(events, tx))
    await Promise.all([again(), again(), again()])
    expect(await kinds()).toEqual(['trip_booked'])
    await jobs.stop()
    await again()
    await startServer()
    expect(await kinds()).toEqual(['trip_booked'])
  })

  test('mail server fails twice -> retried, sent once', async () => {
    failing = 2
    await bookLater()
    expect(await kinds()).toEqual(['trip_booked'])
  })

  test('many trips and edits in parallel -> one confirmation each', async () => {
    const trips = await Promise.all(Array.from({ length: 12 }, () => bookLater()))
    const all = await kinds()
    expect(all).toHaveLength(12)
    expect(new Set(sent.map(({ params }) => params.number)).size).toBe(trips.length)
  })
})
