import type { Actor } from '@hansom/domain/access/relation'
import { recipientMessageLimits } from '@hansom/domain/deliveries/recipient-messages'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MailMessage } from '../../adapters/mail/port.ts'
import type { SmsMessage } from '../../adapters/sms/port.ts'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import { createServer } from '../../platform/http/create-server.ts'
import { createJobs, type Jobs } from '../../platform/jobs/jobs.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { pickup } from '../bookings/straight-city.fixture.ts'
import { changeInstructions, correctRecipient, noteNotInformed } from '../deliveries/recipients.ts'
import { testWriters } from '../messages/writers.fixture.ts'
import { informRecipients } from './inform-recipients.ts'
import { createTripLinksService, mountParcelImages, type TripLinksService } from './service.ts'

let city: TestCity
let links: TripLinksService
let jobs: Jobs
const clock = manualClock()
const mails: MailMessage[] = []
const texts: SmsMessage[] = []
/** Messages that did not leave the installation. */
const stored: (MailMessage | SmsMessage)[] = []
let failing = 0
/** Runs once after a job has read its booking. */
let afterRead: (() => Promise<void>) | null = null
let changed: Partial<typeof defaultSettings> = {}

const withSettings = () => ({ ...city, settings: { current: async () => city.settings } })

beforeAll(async () => {
  city = await createTestCity({ jobs: false, clock })
  city.changeSettings({ category: 'delivery', deliveryCash: true, deliveryCode: true })
  jobs = createJobs(city.database, city.clock, silentLog())
  links = createTripLinksService({
    ...city,
    changeInstructions: (...change) => changeInstructions(city, ...change),
    correctRecipient: (...change) => correctRecipient(withSettings(), ...change),
    proofFile: async () => ({ bytes: new Uint8Array([1]), contentType: 'image/webp' }),
  })
  const settings = { ...defaultSettings, category: 'delivery' as const, country: 'UY', version: 1 }
  informRecipients({
    jobs,
    clock,
    demo: false,
    mailbox: {
      mail: { send: async (message) => void stored.push(message) },
      sms: { send: async (message) => void stored.push(message) },
    },
    noteNotInformed: (...problem) => noteNotInformed(city, ...problem),
    outbox: city.outbox,
    log: silentLog(),
    bookings: {
      read: async (id) => {
        const record = await city.bookings.read(id)
        const once = afterRead
        afterRead = null
        await once?.()
        return record
      },
    },
    database: city.database,
    settings: { current: async () => ({ ...settings, ...changed }) },
    writers: testWriters(city, async () => settings),
    mail: {
      send: async (message) => {
        if (failing > 0) {
          failing -= 1
          throw new Error('no connection')
        }
        mails.push(message)
      },
    },
    sms: { send: async (message) => void texts.push(message) },
    siteUrl: () => 'https://parcels.test',
  })
  await jobs.start()
})
beforeEach(async () => {
  await settled()
  mails.length = 0
  texts.length = 0
  stored.length = 0
  changed = {}
})
afterAll(async () => {
  await jobs.stop()
  await city.close()
})

/** Waits for the messages of all changes. */
async function settled() {
  await city.outbox.idle()
  await expect.poll(() => jobs.openData('deliveries.inform-recipient'), { timeout: 20_000 }).toEqual([])
}

const tokenOf = (path: string | undefined) => (path ?? '').split('/track/')[1] ?? ''
const place = { lat: -34.87, lng: -56.16, add: 'Second street 2' }

const instructionData = {
  deliveryPerson: 'Ada',
  deliveryPersonPhone: '099 111 222',
  deliveryEmail: 'ada@example.test',
  moreDrops: [{ drop: place, deliveryPerson: 'Ben', deliveryPersonPhone: '099 333 444' }],
}

/** A delivery to Ada, who has an email address, and to Ben, who has a phone; a courier has accepted it. */
async function accepted(sent = () => Math.min(mails.length, texts.length) * 2, more = {}) {
  const rider: Actor = await city.addRider({ wallet_balance: 1_000 * unit })
  const driver = await city.addDriver(pickup)
  const { booking } = await city.bookings.create(
    rider,
    city.request({ instructionData: { ...instructionData, ...more } }),
    null,
  )
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  await expect.poll(sent, { timeout: 20_000 }).toBe(2)
  return { id: booking.id, rider, driver }
}

/** The courier collects the parcel and its fee. */
async function collect(id: string, driver: Actor) {
  const cash = (await city.bookings.read(id))?.booking.trip_cost
  await city.bookings.commands.start(city.order(driver, id), { cash })
}

test('fee in cash at the last drop -> that recipient is told the amount, no other', async () => {
  const { id } = await accepted(undefined, { cash_at: 'drop' })
  const cost = (await city.bookings.read(id))?.booking.trip_cost ?? 0
  expect(texts[0]?.text).toContain(`${(cost / unit).toFixed(2)} in cash`)
  expect(mails[0]?.text).not.toContain('in cash')
})

test('courier accepts -> each recipient gets their own link with the code, once', async () => {
  const { id, driver } = await accepted()
  const [mail] = mails
  const [text] = texts
  const stops = (await city.bookings.read(id))?.delivery?.stops
  expect(mail).toMatchObject({ to: 'ada@example.test', kind: 'parcel_coming_code_mail' })
  expect(mail?.text).toContain(stops?.[1]?.code)
  expect(text).toMatchObject({ to: '+59899333444', kind: 'parcel_coming_code_sms' })
  const seen = await links.show(tokenOf(text?.params.link))
  expect(seen).toMatchObject({
    point: null,
    parcel: {
      stage: 'waiting',
      place,
      before: 1,
      vehicle: null,
      code: stops?.[2]?.code,
      may_edit: true,
      done_at: null,
    },
  })
  expect(JSON.stringify(seen)).not.toContain('Ada')

  // A courier who gives the delivery back: the link follows the replacement, and no one is informed twice.
  const { booking } = await city.bookings.commands.cancel(city.order(driver, id), { reason: 'flat tyre' })
  const next = await city.addDriver(pickup)
  await city.ask(booking.rebooked_as ?? '', [next])
  await city.bookings.commands.accept(city.order(next, booking.rebooked_as ?? ''))
  await settled()
  expect([mails.length, texts.length]).toEqual([1, 1])
  expect((await links.show(tokenOf(text?.params.link))).parcel?.place).toEqual(place)
})

test('mail server fails once -> the message is sent by the retry', async () => {
  failing = 1
  const { id } = await accepted()
  expect(mails).toHaveLength(1)
  await settled()
  const { rows } = await city.database.pool.query(
    `select stop, count(*)::int as links from trip_links where booking_id = $1 group by stop order by stop`,
    [id],
  )
  expect(rows).toEqual([
    { stop: 1, links: 1 },
    { stop: 2, links: 1 },
  ])
  expect((await links.show(tokenOf(mails[0]?.params.link))).parcel).not.toBeNull()
})

test('stops with outcomes -> proof by mail, failure by text; open instructions change until then', async () => {
  const { id, driver } = await accepted()
  const [ada, ben] = [tokenOf(mails[0]?.params.link), tokenOf(texts[0]?.params.link)]
  await links.instruct(ben, 'Blue door')
  const told = await city.bookings.view(driver, await city.bookings.get(driver, id))
  expect(told.delivery?.stops[2]?.instructions).toBe('Blue door')

  const { commands } = city.bookings
  const stops = (await city.bookings.read(id))?.delivery?.stops
  await commands.arrive(city.order(driver, id))
  await collect(id, driver)
  await city.report(driver, { ...pickup, at: city.clock.now() })
  expect((await links.show(ada)).point).not.toBeNull()
  expect((await links.show(ben)).point).toBeNull()
  await commands.deliver(city.order(driver, id), { stop: 1, code: stops?.[1]?.code ?? '', name: 'Ada' })
  await commands.fail_drop(city.order(driver, id), { stop: 2, reason: 'wrong_address' })
  await expect.poll(() => [mails.length, texts.length], { timeout: 20_000 }).toEqual([2, 2])
  expect([mails[1]?.kind, texts[1]?.kind]).toEqual(['parcel_delivered_mail', 'parcel_failed_sms'])
  expect((await links.show(ada)).parcel).toMatchObject({
    stage: 'delivered',
    place: null,
    vehicle: null,
    code: null,
    received_by: 'Ada',
  })
  await expect(links.instruct(ben, 'Too late')).rejects.toMatchObject({ key: 'too_late' })
  await expect(links.proof(ada, 'photo')).rejects.toMatchObject({ key: 'not_found' })
})

test('courier near the door -> instructions no longer change', async () => {
  const { id, driver } = await accepted()
  const ada = tokenOf(mails[0]?.params.link)
  const { commands } = city.bookings
  await commands.arrive(city.order(driver, id))
  await collect(id, driver)
  const { drop } = city.request()
  await clock.advance(10 * 60_000)
  await city.report(driver, { lat: drop.lat, lng: drop.lng + 0.002, at: city.clock.now() })
  await expect(links.instruct(ada, 'Third floor')).rejects.toMatchObject({ key: 'too_late' })
})

test('unknown link, or a cancelled delivery -> link_expired', async () => {
  const { id, rider } = await accepted()
  await expect(links.show('nothing')).rejects.toMatchObject({ key: 'link_expired' })
  await city.bookings.commands.cancel(city.order(rider, id), { reason: 'changed my mind' })
  await expect(links.show(tokenOf(mails[0]?.params.link))).rejects.toMatchObject({ key: 'link_expired' })
})

test('proofs by link: more requests than their limit -> 429, other routes are not counted', async () => {
  const server = await createServer({
    log: silentLog(),
    limits: { all: 100, user: 100, assets: 100 },
    userOf: async () => null,
    publicUrl: undefined,
    trustedProxies: [],
  })
  server.get('/other', async () => 'x')
  mountParcelImages(server, links, 2)
  const urls = ['/api/v1/track/x/photo', '/api/v1/track/x/signature', '/api/v1/track/y/photo', '/other']
  const codes: number[] = []
  for (const url of urls) codes.push((await server.inject({ url })).statusCode)
  await server.close()
  expect(codes).toEqual([410, 410, 429, 200])
})

const contact = { person: 'Bea', phone: '099 555 666', email: 'bea@example.test', instructions: 'Blue door' }

test('recipient corrected -> old link and code end, the new one is informed; another sender cannot', async () => {
  const { id, rider } = await accepted()
  const old = tokenOf(texts[0]?.params.link)
  const before = (await city.bookings.read(id))?.delivery?.stops[2]
  const stranger: Actor = await city.addRider()
  const corrected = { booking: id, stop: 2, recipient: contact }
  await expect(links.correct(stranger, corrected)).rejects.toMatchObject({ key: 'not_found' })
  const view = await links.correct(rider, corrected)
  expect(view.delivery?.stops[2]).toMatchObject({ ...contact, not_informed: null })
  await expect.poll(() => mails.length, { timeout: 20_000 }).toBe(2)
  const after = (await city.bookings.read(id))?.delivery?.stops[2]
  expect(after?.code).not.toBe(before?.code)
  expect(mails[1]).toMatchObject({ to: contact.email, params: { code: after?.code } })
  await expect(links.show(old)).rejects.toMatchObject({ key: 'link_expired' })
  expect((await links.show(tokenOf(mails[1]?.params.link))).parcel?.instructions).toBe('Blue door')

  // Only another name and text: the contact is right, so their link and code stay.
  const renamed = { ...corrected, recipient: { ...contact, person: 'Bea B.', instructions: null } }
  await links.correct(rider, renamed)
  await settled()
  expect(mails).toHaveLength(2)
  expect((await links.show(tokenOf(mails[1]?.params.link))).parcel?.code).toBe(after?.code)
})

test('sender stops sharing -> their own links end, those of recipients stay', async () => {
  const { id, rider } = await accepted()
  expect(await links.count(rider, id)).toBe(0)
  const own = tokenOf(await links.create(rider, id))
  expect(await links.count(rider, id)).toBe(1)
  await links.revoke(rider, id)
  await expect(links.show(own)).rejects.toMatchObject({ key: 'link_expired' })
  expect((await links.show(tokenOf(mails[0]?.params.link))).parcel?.place).toBeDefined()
})

test('recipient corrected while their message waits -> only the right address is informed', async () => {
  const { id, rider } = await accepted()
  const at = (email: string) =>
    links.correct(rider, { booking: id, stop: 1, recipient: { ...contact, email } })
  // The job of the first correction has read the booking when the second one commits.
  afterRead = async () => void (await at('right@example.test'))
  await at('wrong@example.test')
  await expect.poll(() => mails.at(-1)?.to, { timeout: 20_000 }).toBe('right@example.test')
  await settled()
  expect(mails.map(({ to }) => to)).toEqual(['ada@example.test', 'right@example.test'])
  const code = (await city.bookings.read(id))?.delivery?.stops[1]?.code
  expect((await links.show(tokenOf(mails[1]?.params.link))).parcel?.code).toBe(code)
})

test('same contact in another spelling -> link and code stay, no second message', async () => {
  const { id, rider } = await accepted()
  const before = (await city.bookings.read(id))?.delivery?.stops[2]
  const recipient = { person: 'Ben', phone: '+598 99 333 444', email: null }
  await links.correct(rider, { booking: id, stop: 2, recipient })
  await settled()
  expect((await city.bookings.read(id))?.delivery?.stops[2]).toMatchObject({
    ...recipient,
    code: before?.code,
  })
  expect((await links.show(tokenOf(texts[0]?.params.link))).parcel?.code).toBe(before?.code)
  expect(texts).toHaveLength(1)
})

test('sender corrects the name while the recipient writes -> the text and whose it is stay', async () => {
  const { id, rider } = await accepted()
  await links.instruct(tokenOf(texts[0]?.params.link), 'Side door')
  const recipient = { person: 'Benjamin', phone: '099 333 444', email: null }
  const view = await links.correct(rider, { booking: id, stop: 2, recipient })
  expect(view.delivery?.stops[2]).toMatchObject({
    person: 'Benjamin',
    instructions: 'Side door',
    sender_instructions: '',
  })
})

test('recipient of a settled stop, or with a bad phone number -> too_late, invalid_input', async () => {
  const { id, rider, driver } = await accepted()
  await city.bookings.commands.arrive(city.order(driver, id))
  await collect(id, driver)
  await city.bookings.commands.fail_drop(city.order(driver, id), { stop: 1, reason: 'refused' })
  const correct = (stop: number, more = {}) =>
    links.correct(rider, { booking: id, stop, recipient: { ...contact, ...more } })
  await expect(correct(1)).rejects.toMatchObject({ key: 'too_late' })
  await expect(correct(0)).rejects.toMatchObject({ key: 'too_late' })
  await expect(correct(2, { phone: '12', email: 'b@' })).rejects.toMatchObject({
    key: 'invalid_input',
    fields: [{ field: 'phone' }, { field: 'email' }],
  })
})

test('delivery cancelled -> those who were informed get one message', async () => {
  const { id, rider } = await accepted()
  await city.bookings.commands.cancel(city.order(rider, id), { reason: 'changed my mind' })
  await expect.poll(() => [mails.length, texts.length], { timeout: 20_000 }).toEqual([2, 2])
  expect([mails[1]?.kind, texts[1]?.kind]).toEqual(['parcel_cancelled_mail', 'parcel_cancelled_sms'])

  const { booking } = await city.bookings.create(rider, city.request({ instructionData }), null)
  await city.bookings.commands.cancel(city.order(rider, booking.id), { reason: 'changed my mind' })
  await settled()
  expect([mails.length, texts.length]).toEqual([2, 2])
})

test('sender beyond the texts of a day -> the sender sees it, and emails still go out', async () => {
  const rider: Actor = await city.addRider({ wallet_balance: 1_000 * unit })
  const { pool } = city.database
  await pool.query(
    `insert into recipient_message_counts select (now_at)::date, $1 || ' texts', $2
      from (select to_timestamp($3 / 1000.0) at time zone 'America/Montevideo' as now_at) d`,
    [rider.id, recipientMessageLimits.texts, clock.now()],
  )
  const { booking } = await city.bookings.create(rider, city.request({ instructionData }), null)
  const driver = await city.addDriver(pickup)
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  const problems = async () => {
    const view = await city.bookings.view(rider, await city.bookings.get(rider, booking.id))
    return view.delivery?.stops.map(({ not_informed }) => not_informed)
  }
  await expect.poll(problems, { timeout: 20_000 }).toEqual([null, null, 'limit'])
  // Emails are counted apart.
  await expect.poll(() => [mails.length, texts.length]).toEqual([1, 0])
  const { rows } = await pool.query(
    'select sent from recipient_message_counts where key like $1 order by sent',
    [`${rider.id} %`],
  )
  expect(rows).toEqual([{ sent: 1 }, { sent: recipientMessageLimits.texts }])
})

test('demo that blocks critical edits -> messages stay in the mailbox', async () => {
  changed = { AllowCriticalEditsAdmin: false }
  await accepted(() => stored.length)
  expect([mails.length, texts.length]).toEqual([0, 0])
})

test('parcel for another day -> the message has the day', async () => {
  const { id, rider } = await accepted()
  expect(mails[0]?.params.time).toMatch(/^\d\d:\d\d$/)
  const { pool } = city.database
  await pool.query(`update delivery_stops set planned_at = planned_at + 86400000 where booking_id = $1`, [id])
  await links.correct(rider, { booking: id, stop: 1, recipient: contact })
  await expect.poll(() => mails.length, { timeout: 20_000 }).toBe(2)
  expect(mails[1]?.params.time).toMatch(/day.* \d\d:\d\d$/)
})
