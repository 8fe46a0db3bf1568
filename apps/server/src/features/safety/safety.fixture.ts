import type { Actor } from '@hansom/domain/access/relation'
import { type Mail, MailError, type MailMessage } from '../../adapters/mail/port.ts'
import type { Sms, SmsMessage } from '../../adapters/sms/port.ts'
import { limitMessages } from '../../limit-messages.ts'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import type { JobHandler } from '../../platform/jobs/jobs.ts'
import { createMessageCounts } from '../../platform/mailbox/message-counts.ts'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { drop, pickup } from '../bookings/straight-city.fixture.ts'
import { createSendOnce } from '../messages/send-once.ts'
import { testWriters } from '../messages/writers.fixture.ts'
import { createTripLinksService } from '../trip-links/service.ts'
import { createContacts } from './contacts.ts'
import { createSafetyService } from './service.ts'

/** The place at `share` of the way, and `eastM` metres beside it. */
export const along = (share: number, eastM = 0) => ({
  lat: pickup.lat + (drop.lat - pickup.lat) * share,
  lng: pickup.lng + (drop.lng - pickup.lng) * share + eastM / 91_000,
})

/** A city with the safety service, whose scans a test runs. */
export async function createSafetyScene() {
  const clock = manualClock()
  const city = await createTestCity({ clock, jobs: false })
  city.changeSettings({ panic: true })
  const hub = {
    publish: (channel: string, data: unknown) => void city.published.push({ channel, data }),
  }
  const settings = { current: async () => city.settings }
  const sent: (Partial<MailMessage> & SmsMessage & { channel: 'mail' | 'sms' })[] = []
  const written: string[] = []
  let mailWorks = true
  const jobs = new Map<string, JobHandler<object>>()
  const waiting: { name: string; data: object }[] = []
  let ran: (typeof waiting)[number] | null = null
  const mail: Mail = {
    send: async (message) => {
      if (!mailWorks) throw new MailError('the mail server does not answer', false)
      sent.push({ channel: 'mail', ...message })
    },
    close: () => {},
  }
  const sms: Sms = { send: async (message) => void sent.push({ channel: 'sms', ...message }) }
  const limit = { total: 1_000, person: 1_000, address: 1_000 }
  const limits = { mails: { ...limit }, texts: { ...limit } }
  const counts = createMessageCounts({ ...city, clock, authSecret: 'of a test', limits })
  const limited = limitMessages({ mail, sms, counts })
  const contacts = createContacts({ ...city, settings, authSecret: 'of a test' })
  const tripLinks = createTripLinksService({
    ...city,
    clock,
    changeInstructions: async () => {},
    correctRecipient: async () => false,
    proofFile: async () => null,
  })
  const create = () =>
    createSafetyService({
      ...city,
      hub,
      topics: { register: () => {} } as unknown as TestCity['topics'],
      jobs: {
        define: (name, _options, handler) => void jobs.set(name, handler as JobHandler<object>),
        send: async (name, data) => {
          waiting.push({ name, data })
          return null
        },
      },
      settings,
      outbox: {
        onBatch: city.outbox.onBatch,
        write: (tx, events) => {
          written.push(...events.map(({ kind }) => kind))
          return city.outbox.write(tx, events)
        },
      },
      ...limited,
      mailbox: { mail, sms },
      demo: false,
      log: { warn: () => {} },
      writers: testWriters({ ...city, clock }, settings.current),
      sendOnce: createSendOnce(city.database),
      messageCounts: counts,
      messages: { refuseUrl: (uid, address) => `https://x.test/refuse/${uid}/${address}` },
      tripLinks,
      contacts,
      authSecret: 'of a test',
      siteUrl: () => 'https://x.test',
    })
  const safety = create()
  const admin = await city.addAdmin()

  async function accepted(name: Record<string, unknown> = {}) {
    const rider = await city.addRider({ ...name, mobile: `+5989${String(Math.random()).slice(2, 10)}` })
    const driver = await city.addDriver(pickup)
    const { booking } = await city.bookings.create(rider, city.request(), null)
    await city.ask(booking.id, [driver])
    await city.bookings.commands.accept(city.order(driver, booking.id))
    return { rider, driver, id: booking.id }
  }

  return {
    city,
    clock,
    safety,
    contacts,
    tripLinks,
    admin,
    /** The daily limits of messages, which a test may change. */
    limits,
    /** The kinds of the outbox events that the service wrote. */
    written,
    /** Messages to trusted contacts. */
    sent,
    /** The mail server answers, or each mail fails with a temporary error. */
    setMailWorks(works: boolean) {
      mailWorks = works
    },
    /** The names of the jobs that are waiting. */
    waitingJobs: () => waiting.map(({ name }) => name),
    /** Runs the jobs that are waiting, each `times` times. Jobs whose last run failed wait again; throws the last error. */
    async runJobs(times = 1) {
      let failed: { error: unknown } | null = null
      for (const due of waiting.splice(0)) {
        ran = due
        const runOnce = async () => jobs.get(due.name)?.(due.data, new AbortController().signal)
        let last: { error: unknown } | null = null
        for (let run = 0; run < times; run++) {
          last = await runOnce().then(
            () => null,
            (error: unknown) => ({ error }),
          )
        }
        if (last === null) continue
        failed = last
        waiting.push(due)
      }
      if (failed !== null) throw failed.error
    },
    repeatLastJob: () => void (ran && waiting.push(ran)),
    /** The service as a new process makes it: without what the other one has in memory. */
    restarted: create,
    accepted,
    async started(name: Record<string, unknown> = {}) {
      const trip = await accepted(name)
      await city.bookings.commands.arrive(city.order(trip.driver, trip.id))
      await city.bookings.commands.start(city.order(trip.driver, trip.id), {})
      await city.outbox.idle()
      return trip
    },
    /** Reports a position every 10 s, with a scan every 20 s. */
    async drive(
      driver: Actor,
      seconds: number,
      at: (second: number) => { lat: number; lng: number },
      scanning: Pick<typeof safety, 'scan'> = safety,
    ) {
      for (let second = 10; second <= seconds; second += 10) {
        await clock.advance(10_000)
        await city.report(driver, { ...at(second), at: clock.now() })
        if (second % 20 === 0) await scanning.scan()
      }
    },
    /** Lets time pass without a position, with a scan every 20 s. */
    async wait(seconds: number, scanning: Pick<typeof safety, 'scan'> = safety) {
      for (let second = 20; second <= seconds; second += 20) {
        await clock.advance(20_000)
        await scanning.scan()
      }
    },
    async events(id: string) {
      const { rows } = await city.database.pool.query<{
        id: string
        kind: string
        state: string
        closing: string | null
      }>('select id, kind, state, closing from safety_events where booking_id = $1 order by opened_at, id', [
        id,
      ])
      return rows
    },
    async moments(id: string) {
      const { rows } = await city.database.pool.query<{ what: string }>(
        `select m.what from safety_moments m join safety_events e on e.id = m.event_id
          where e.booking_id = $1 order by m.id`,
        [id],
      )
      return rows.map(({ what }) => what)
    },
    async notified(user: Actor, title: string) {
      const { rows } = await city.database.pool.query(
        'select screen, booking_id from user_notifications where user_id = $1 and title = $2',
        [user.id, title],
      )
      return rows
    },
    /** The user's unread notifications with this title. */
    async unread(user: Actor, title: string) {
      const { rows } = await city.database.pool.query<{ booking_id: string }>(
        'select booking_id from user_notifications where user_id = $1 and title = $2 and read_at is null',
        [user.id, title],
      )
      return rows.map(({ booking_id }) => booking_id)
    },
  }
}
