import type { Actor } from '@hansom/domain/access/relation'
import { defaultPreferences, type MessagePreferences } from '@hansom/domain/messages/topics'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { cityTime } from '@hansom/domain/time/city-time'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SmsMessage } from '../../adapters/sms/port.ts'
import { createJobs, type Jobs } from '../../platform/jobs/jobs.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createTestCity, type TestCity, taxiTest } from '../bookings/booking-city.fixture.ts'
import { pickup } from '../bookings/straight-city.fixture.ts'
import { createCarTypesService } from '../car-types/service.ts'
import { createSendOnce } from '../messages/send-once.ts'
import { testWriters } from '../messages/writers.fixture.ts'
import { textCallers } from './caller-texts.ts'
import { createTripLinksService, type TripLinksService } from './service.ts'

let city: TestCity
let tripLinks: TripLinksService
let hasDevice = false
let admin: Actor
let jobs: Jobs
const sent: SmsMessage[] = []
let preferences: MessagePreferences = defaultPreferences
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  jobs = createJobs(city.database, city.clock, silentLog())
  tripLinks = createTripLinksService({
    ...city,
    changeInstructions: async () => {},
    correctRecipient: async () => false,
    proofFile: async () => null,
  })
  admin = await city.addAdmin()
  textCallers({
    jobs,
    outbox: city.outbox,
    log: silentLog(),
    users: city.users,
    bookings: city.bookings,
    tripLinks,
    writers: testWriters(city, async () => ({ ...defaultSettings, version: 1 })),
    sendOnce: createSendOnce(city.database),
    preferences: { preferences: async () => preferences },
    clock: city.clock,
    hasDevice: async () => hasDevice,
    carTypes: createCarTypesService(city),
    siteUrl: () => 'https://taxi.test',
    settings: { current: async () => city.settings },
    sms: { send: async (message) => void sent.push(message) },
  })
  await jobs.start()
})
beforeEach(() => {
  sent.length = 0
  preferences = defaultPreferences
  city.settings.otp_secure = false
})
afterAll(async () => {
  await jobs.stop()
  await city.close()
})

let numbers = 0
/** A trip that the office booked for a new guest. */
async function guestTrip(car: object = { vehicle_make: 'Toyota', vehicle_model: 'Corolla' }) {
  numbers += 1
  const driver = await city.addDriver(pickup, {
    ...car,
    vehicle_number: `SAB ${1000 + numbers}`,
  })
  const mobile = `+5989982${String(numbers).padStart(4, '0')}`
  const request = city.request({ guest: { name: 'María', mobile } })
  const { booking } = await city.bookings.create(admin, request, null)
  return { driver, mobile, id: booking.id, plate: `SAB ${1000 + numbers}` }
}
async function accept(id: string, driver: Actor) {
  await city.ask(id, [driver])
  await city.bookings.commands.accept(city.order(driver, id))
}
const kindsSent = async (count: number) => {
  await expect.poll(() => sent.length, { timeout: 15_000 }).toBe(count)
  return sent.map(({ kind }) => kind)
}

test('caller: trip accepted and driver arrived -> plate, time and link, then one more text', async () => {
  const { id, driver, mobile, plate } = await guestTrip()
  await accept(id, driver)
  await kindsSent(1)
  const [text] = sent
  expect(text).toMatchObject({ to: mobile, kind: 'caller_accepted' })
  expect(text?.text).toMatch(/\d\d:\d\d/)
  expect(text?.text).toContain(plate)
  const link = text?.params.link ?? ''
  expect(link).toMatch(/^https:\/\/taxi\.test\/track\/[\w-]{22}$/)
  expect(await tripLinks.show(link.split('/').at(-1) ?? '')).toMatchObject({ vehicle_number: plate })
  await city.bookings.commands.arrive(city.order(driver, id), {})
  expect(await kindsSent(2)).toEqual(['caller_accepted', 'caller_arrived'])
})

test('caller: reads Arabic, car without a model -> the car type in Arabic', async () => {
  await city.database.pool.query(`update car_types set translations = '{"ar": {"name": "اقتصادية"}}'`)
  const { id, driver } = await guestTrip({})
  await city.database.pool.query(
    `update users set locale = 'ar' where id = (select customer from bookings where id = $1)`,
    [id],
  )
  await accept(id, driver)
  await kindsSent(1)
  expect(sent[0]?.text).toContain('اقتصادية')
})

test('caller: trip code is on -> in the text, not behind the link', async () => {
  city.settings.otp_secure = true
  const { id, driver } = await guestTrip()
  await accept(id, driver)
  expect(await kindsSent(1)).toEqual(['caller_accepted_code'])
  const code = (await city.bookings.get(admin, id)).booking.otp ?? ''
  expect(sent[0]?.text).toContain(code)
  const trip = await tripLinks.show(sent[0]?.params.link?.split('/').at(-1) ?? '')
  expect(JSON.stringify(trip)).not.toContain(code)
})

test('caller: driver withdrawn, another accepts, admin cancels -> each texted once', async () => {
  const { id, driver } = await guestTrip()
  await accept(id, driver)
  await kindsSent(1)
  await city.bookings.commands.withdraw_driver(city.order(admin, id), { reason: 'flat tyre' })
  await kindsSent(2)
  const other = await city.addDriver(pickup)
  await accept(id, other)
  await kindsSent(3)
  await city.bookings.commands.cancel(city.order(admin, id), { reason: 'caller changed their mind' })
  expect(await kindsSent(4)).toEqual([
    'caller_accepted',
    'caller_replaced',
    'caller_accepted',
    'caller_cancelled',
  ])
})

taxiTest(
  'caller: admin edits the trip twice at once -> one text with pickup, last time and fare; the rider edits it -> none',
  async () => {
    const { id, driver, mobile } = await guestTrip()
    const tripdate = city.clock.now() + 2 * 3_600_000
    const { change } = city.bookings.commands
    await change(city.order(admin, id), { bookLater: true, tripdate: tripdate + 3_600_000 })
    const { booking } = await change(city.order(admin, id), { tripdate })
    expect(await kindsSent(1)).toEqual(['caller_changed'])
    expect(sent[0]).toMatchObject({ to: mobile })
    expect(sent[0]?.text).toContain(cityTime(tripdate, city.settings.timezone).slice(0, 16))
    expect(sent[0]?.text).toContain(`From ${booking.pickup.add.split(',')[0]}, `)
    // Invisible characters would double the price.
    expect(sent[0]?.text).not.toMatch(/[\u00a0\u2066-\u2069]/)
    await change(city.order(admin, id), { bookLater: false })
    expect((await kindsSent(2)).at(-1)).toBe('caller_changed_now')
    await accept(id, driver)
    await kindsSent(3)
    const guest = { id: booking.customer, role: 'rider', approved: true } as const
    const add = 'Aeropuerto Internacional de Carrasco, Ciudad de la Costa'
    const drop = { lat: booking.drop.lat + 0.01, lng: booking.drop.lng, add }
    await change(city.order(guest, id), { drop })
    await change(city.order(admin, id), { pickup: { ...booking.pickup, lat: booking.pickup.lat + 0.01 } })
    expect((await kindsSent(4)).at(-1)).toBe('caller_changed')
    expect(sent.at(-1)?.text).toMatch(/, \d\d:\d\d, to Aeropuerto\. /)
  },
)

test('caller: rider booked the trip, or the guest is erased -> no text', async () => {
  const rider = await city.addRider({ mobile: '+59899830001' })
  const free = await city.addDriver(pickup)
  const own = await city.bookings.create(rider, city.request(), null)
  await accept(own.booking.id, free)
  const { id, driver } = await guestTrip()
  await city.database.pool.query(
    `update users set deleted_at = 1, approved = false where id = (select customer from bookings where id = $1)`,
    [id],
  )
  await accept(id, driver)
  const { id: third, driver: last, mobile } = await guestTrip()
  await accept(third, last)
  await kindsSent(1)
  expect(sent[0]?.to).toBe(mobile)
})

test('rider who wants texts, verified number -> texted about their own trip; number not verified -> none', async () => {
  preferences = { ...defaultPreferences, texts: true }
  const rider = await city.addRider({ mobile: '+59899830002', mobile_verified_at: 1 })
  const other = await city.addRider({ mobile: '+59899830003' })
  const [first, second] = [await city.addDriver(pickup), await city.addDriver(pickup)]
  const unverified = await city.bookings.create(other, city.request(), null)
  await accept(unverified.booking.id, second)
  const own = await city.bookings.create(rider, city.request(), null)
  await accept(own.booking.id, first)
  await kindsSent(1)
  await city.bookings.commands.cancel(city.order(admin, own.booking.id), { reason: 'closed road' })
  expect(await kindsSent(2)).toEqual(['caller_accepted', 'rider_cancelled'])
  expect(new Set(sent.map(({ to }) => to))).toEqual(new Set(['+59899830002']))
})

test('rider who wants texts, with a device that gets push notifications -> none; a guest -> texted', async () => {
  preferences = { ...defaultPreferences, texts: true }
  hasDevice = true
  const rider = await city.addRider({ mobile: '+59899830012', mobile_verified_at: 1 })
  const own = await city.bookings.create(rider, city.request(), null)
  await accept(own.booking.id, await city.addDriver(pickup))
  const guest = city.request({ guest: { name: 'Eva', mobile: '+59899830013' } })
  const booked = await city.bookings.create(admin, guest, null)
  await accept(booked.booking.id, await city.addDriver(pickup))
  await kindsSent(1)
  expect(sent.map(({ to }) => to)).toEqual(['+59899830013'])
  hasDevice = false
})

test('guest with a later trip -> one reminder an hour before', async () => {
  const mobile = '+59899830004'
  const tripdate = city.clock.now() + 3 * 3_600_000
  const request = city.request({ guest: { name: 'María', mobile }, bookLater: true, tripdate })
  const { booking } = await city.bookings.create(admin, request, null)
  const reminders = async () =>
    (await jobs.openData('bookings.text-caller')).filter(
      ({ text, booking: id }) => text === 'reminder' && id === booking.id,
    )
  await expect.poll(reminders, { timeout: 15_000 }).toHaveLength(1)
  await city.database.pool.query(
    `update pgboss.job set start_after = now() where name = 'bookings.text-caller' and data ->> 'booking' = $1`,
    [booking.id],
  )
  expect(await kindsSent(1)).toEqual(['caller_reminder'])
  expect(sent[0]).toMatchObject({ to: mobile })
})
