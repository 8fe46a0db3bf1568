import { randomUUID } from 'node:crypto'
import type { BookingRequest } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { cashDueAt } from '@hansom/domain/deliveries/cash'
import type { RuleFields } from '@hansom/domain/dispatch/rules'
import type { LatLng } from '@hansom/domain/geo/point'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings, type Settings } from '@hansom/domain/settings/settings'
import { uuidv7 } from 'uuidv7'
import { inject, test } from 'vitest'
import { embeddedDriverIndex } from '../../adapters/driver-index/embedded.ts'
import { localBus, type ServerBus } from '../../adapters/server-bus/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../platform/database/test-database.ts'
import { createJobs, installJobs } from '../../platform/jobs/jobs.ts'
import type { PositionHandler } from '../../platform/live/positions.ts'
import { TopicRegistry } from '../../platform/live/topics.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createOutbox } from '../../platform/outbox/outbox.ts'
import { createCarTypesService } from '../car-types/service.ts'
import { createPromosService } from '../promos/service.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { createUsersService } from '../users/service.ts'
import { registerReleases } from '../wallet/release-dues.ts'
import { createWalletService } from '../wallet/service.ts'
import { dispatchFacts } from './dispatch/dispatch-facts.ts'
import { createBookingsFeature } from './feature.ts'
import type { BookingsService } from './service.ts'
import { bookingStore } from './store/booking-store.ts'
import { centre, drop, pickup, straightMaps } from './straight-city.fixture.ts'
import { DriverContacts } from './tracking/active-trips.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The projects `delivery` run the tests of bookings with deliveries instead of taxi trips. */
    category: 'delivery'
  }
}

export const isDelivery = inject('category') === 'delivery'
/** A test of what only taxi trips do. */
export const taxiTest = test.skipIf(isDelivery)
const recipient = { deliveryPerson: 'Ada', deliveryPersonPhone: '099 123 456' }

export type TestCity = Awaited<ReturnType<typeof createTestCity>>

/**
 * The bookings feature on a separate database with a straight-line map, for one test file. `jobs: false` leaves jobs in
 * the queue, so that the test decides what happens next.
 */
export async function createTestCity(
  options: {
    jobs?: boolean
    clock?: Clock
    database?: TestDatabase
    carType?: string
    callNumbers?: string[]
    /** Connects the servers of one database. */
    bus?: ServerBus
  } = {},
) {
  const database = options.database ?? (await createTestDatabase())
  const clock = options.clock ?? manualClock()
  const log = silentLog()
  const driverIndex = embeddedDriverIndex()
  const outbox = createOutbox({ database, log, pollMs: 60_000, retryMs: 20 })
  const settings: Settings & { version: number } = {
    ...defaultSettings,
    dispatch: { ...defaultSettings.dispatch },
    otp_secure: false,
    decimal: 2,
    version: 1,
    ...(isDelivery && { category: 'delivery', deliveryCash: true }),
  }
  const rules: RuleFields[] = []
  const dispatchRules = { current: async () => rules }
  const listeners: ((settings: CurrentSettings) => void)[] = []
  const published: { channel: string; data: unknown }[] = []
  let position: PositionHandler | null = null
  const topics = new TopicRegistry()
  await installJobs(database)
  const jobs = createJobs(database, clock, log)
  const users = createUsersService({
    database,
    clock,
    outbox,
    hub: { publish: () => {} },
    settings: { current: async () => settings },
  })
  const wallet = createWalletService({ database })
  registerReleases({ clock, outbox, settings: { current: async () => settings }, users, wallet })
  const maps = straightMaps()
  const feature = createBookingsFeature({
    database,
    clock,
    log,
    maps,
    driverIndex,
    bus: options.bus ?? localBus(),
    jobs,
    outbox,
    hub: {
      publish: (channel, data) => void published.push({ channel, data }),
      publishVolatile: (channel, data) => void published.push({ channel, data }),
      reauthorize: () => {},
      onPosition: (handler) => {
        position = handler
      },
    },
    topics,
    settings: { current: async () => settings, onChange: (listener) => void listeners.push(listener) },
    carTypes: createCarTypesService({ database }),
    promos: createPromosService({ database }),
    users,
    wallet,
    cancelReasons: { all: async () => [] },
    dispatchRules,
    cardAvailable: () => false,
    callNumbers: options.callNumbers ?? null,
  })
  await jobs.start()
  if (options.jobs === false) await jobs.stop()
  const carType = options.carType ?? (await addCarType(database, 'Economy'))
  await feature.start()
  outbox.start()

  const order = (actor: Actor, id: string, key: string | null = null) => ({ actor, id, key })
  return {
    ...feature,
    ...(isDelivery && { bookings: deliveringFirst(feature.bookings) }),
    database,
    clock,
    driverIndex,
    outbox,
    jobs,
    settings,
    /** Changes settings as an admin would. */
    changeSettings: (changes: Partial<Settings>) => {
      Object.assign(settings, changes)
      for (const listener of listeners) listener({ ...settings })
    },
    published,
    topics,
    users,
    wallet,
    carType,
    /** The rules of dispatch; a test adds its own. */
    rules,
    waveDeps: {
      log,
      store: bookingStore(database.pool),
      dispatchFacts: dispatchFacts(database.pool, maps),
      database,
      clock,
      outbox,
      maps,
      driverIndex,
      drivers: { readAround: async () => false, isCurrent: () => true },
      dispatchRules,
      settings: { current: async () => settings },
      cardAvailable: () => false,
      callNumbers: null,
      contacts: new DriverContacts(clock),
      applied: () => {},
    },
    order,
    report: (driver: Actor, at: LatLng & { at: number; accuracy?: number }) =>
      position?.({ id: driver.id, role: 'driver', approved: true, sessionId: '' }, at),

    addRider: (changes: Record<string, unknown> = {}) => addUser(database, 'rider', changes),

    /** Adds an online, free driver near the center. */
    async addDriver(at: LatLng = centre, changes: Record<string, unknown> = {}): Promise<Actor> {
      const located_at = clock.now()
      const driver = await addUser(database, 'driver', {
        car_type_id: carType,
        driver_active_status: true,
        lat: at.lat,
        lng: at.lng,
        located_at,
        ...changes,
      })
      driverIndex.upsert({
        ...at,
        id: driver.id,
        at: located_at,
        heardAt: clock.elapsed(),
        bearing: null,
        eligible: true,
        car_type_id: carType,
      })
      return driver
    },
    addAdmin: () => addUser(database, 'admin', {}),
    addUserOf: (usertype: Actor['role']) => addUser(database, usertype, {}),

    request: (changes: Partial<BookingRequest> = {}): BookingRequest => ({
      pickup,
      drop,
      car_type_id: carType,
      bookLater: false,
      payment_mode: 'cash' as PaymentMode,
      ...(isDelivery && { instructionData: recipient }),
      ...changes,
    }),

    /** Requests the drivers immediately and notifies them, as a wave would. */
    async ask(booking: string, drivers: readonly Actor[]): Promise<void> {
      for (const driver of drivers) {
        await database.pool.query(
          `insert into booking_requests (booking_id, driver_id, wave, requested_at, expires_at, pickup_km, pickup_s)
            values ($1, $2, 1, $3, $4, 1, 120)
             on conflict (booking_id, driver_id) do nothing`,
          [booking, driver.id, clock.now(), clock.now() + 600_000],
        )
      }
      await database.withTransaction((tx) =>
        users.notify(
          tx,
          drivers.map(({ id }) => ({
            user_id: id,
            at: clock.now(),
            title: 'notify.new_booking.title',
            msg: 'notify.new_booking.msg',
            params: {},
            screen: 'DriverTrips',
            booking_id: booking,
            dedupe: `${booking}:asked:${id}`,
          })),
        ),
      )
    },

    async balance(actor: Actor): Promise<number> {
      const reply = await database.pool.query('select wallet_balance as n from users where id = $1', [
        actor.id,
      ])
      return reply.rows[0].n
    },
    /** Non-zero account balances from the legs of a booking. */
    async accounts(booking: string): Promise<Record<string, number>> {
      const reply = await database.pool.query(
        `select l.account, sum(l.amount)::bigint as n from ledger_legs l join ledger_entries e on e.id = l.entry_id
          where e.booking_id = $1 group by 1 having sum(l.amount) <> 0`,
        [booking],
      )
      return Object.fromEntries(reply.rows.map((row) => [row.account, row.n]))
    },

    /** Those of `texts` that are in a row, of any table, with the id of a booking. */
    async leftovers(booking: string, texts: readonly string[]): Promise<string[]> {
      const tables = await database.pool.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
      )
      const found: string[] = []
      for (const { name } of tables.rows) {
        const { rows } = await database.pool.query<{ row: string }>(
          `select t::text as row from ${name} t where strpos(t::text, $1) > 0`,
          [booking],
        )
        for (const { row } of rows) {
          found.push(...texts.filter((text) => row.includes(text)).map((text) => `${name}: ${text}`))
        }
      }
      return found
    },

    async close() {
      await outbox.stop()
      await jobs.stop()
      await feature.stop()
      if (!options.database) await database.close()
    },
  }
}

/** In the delivery category, a driver collects the cash as the trip starts, and hands the parcels over before its end. */
function deliveringFirst(bookings: BookingsService): BookingsService {
  const { commands } = bookings
  return {
    ...bookings,
    commands: {
      ...commands,
      async start(request, body) {
        const record = await bookings.read(request.id)
        const pickup = record?.delivery?.stops[0]
        const cash = pickup && record?.delivery && cashDueAt(record.booking, record.delivery, pickup)
        return commands.start(request, { ...body, ...(cash && { cash }) })
      },
      async reach(request, body) {
        const record = await bookings.read(request.id)
        const isReached = request.actor.role === 'driver' && record?.booking.driver === request.actor.id
        for (const { n, kind, outcome } of (isReached && record?.delivery?.stops) || []) {
          if (kind === 'pickup' || outcome !== null) continue
          await commands.deliver({ ...request, key: null }, { stop: n })
        }
        return commands.reach(request, body)
      },
    },
  }
}

async function addCarType(database: TestDatabase, name: string): Promise<string> {
  const id = uuidv7()
  await database.pool.query(
    `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
        convenience_fee_type, cancel_slab, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, 'percentage', $8, 0)`,
    [
      id,
      name,
      20 * unit,
      10 * unit,
      60 * unit,
      50 * unit,
      10 * unit,
      JSON.stringify([
        { minsDelayed: 0, amount: 0 },
        { minsDelayed: 2, amount: 5 * unit },
      ]),
    ],
  )
  return id
}

async function addUser(
  database: TestDatabase,
  usertype: Actor['role'],
  changes: Record<string, unknown>,
): Promise<Actor> {
  const id = uuidv7()
  const row: Record<string, unknown> = {
    id,
    created_at: 0,
    first_name: usertype,
    last_name: id.slice(-4),
    email: `${id}@example.test`,
    usertype,
    approved: true,
    referral_id: randomUUID(),
    ...changes,
  }
  const names = Object.keys(row)
  await database.pool.query(
    `insert into users (${names.join()}) values (${names.map((_, index) => `$${index + 1}`).join()})`,
    Object.values(row),
  )
  return { id, role: usertype, approved: true }
}
