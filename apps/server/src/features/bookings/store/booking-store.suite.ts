import type { BookingRequest } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddedDriverIndex } from '../../../adapters/driver-index/embedded.ts'
import { manualClock } from '../../../platform/clock/manual-clock.ts'
import { bookingCommands } from '../commands.ts'
import { createBooking, newBookingIds } from '../create-booking.ts'
import { askNextWave } from '../dispatch/wave.ts'
import { centre, drop, pickup, quietDeps, straightMaps } from '../straight-city.fixture.ts'
import { DriverContacts } from '../tracking/active-trips.ts'
import type { BookingStore } from './booking-store.ts'

/** A store under test, with the people of the test in it. */
export interface TestedStore {
  store: BookingStore
  carType: string
  /** Adds a user: a driver is free and at the centre. */
  add(usertype: 'rider' | 'driver', walletBalance?: number): Promise<Actor>
  /** Adds a promo of 10 that may be used once; returns its code. */
  addPromo(): Promise<string>
  /** The history of a booking, as command and status. */
  history(booking: string): Promise<string[]>
  balance(user: string): Promise<number>
  close(): Promise<void>
}

type Deps = Parameters<typeof createBooking>[0] &
  Parameters<typeof bookingCommands>[0] &
  Parameters<typeof askNextWave>[0]

/** What commands may rely on with every store. */
export function bookingStoreSuite(name: string, open: () => Promise<TestedStore>): void {
  describe(`booking store, ${name}`, () => {
    const clock = manualClock()
    const settings = { ...defaultSettings, otp_secure: false, decimal: 2, version: 1 }
    const driverIndex = embeddedDriverIndex()
    let tested: TestedStore
    let rider: Actor
    let driver: Actor

    beforeAll(async () => {
      tested = await open()
      rider = await tested.add('rider')
      driver = await addDriver()
    })
    afterAll(() => tested.close())

    /** The product on the store; `between` runs between the reading and the writing of its next command. */
    const product = (between?: () => Promise<unknown>) => {
      let isNext = between !== undefined
      const store: BookingStore = {
        ...bound(tested.store),
        apply: async (application) => {
          if (isNext) {
            isNext = false
            await between?.()
          }
          await tested.store.apply(application)
        },
      }
      const deps = {
        ...quietDeps,
        store,
        clock,
        newIds: newBookingIds,
        settings: { current: async () => settings },
        maps: straightMaps(),
        driverIndex,
        drivers: { readAround: async () => false, isCurrent: () => true },
        startedAt: 0,
        contacts: new DriverContacts(clock),
      } as unknown as Deps
      const commands = bookingCommands(deps)
      const give =
        (command: 'accept' | 'arrive' | 'start' | 'reach' | 'decline') =>
        (actor: Actor, id: string, key: string | null = null) =>
          refusalOf(commands[command]({ actor, id, key }))
      return {
        book: (actor: Actor, changes: Partial<BookingRequest> = {}, key: string | null = null) =>
          refusalOf(createBooking(deps, actor, { ...request(), ...changes }, key)),
        ask: (id: string, wave = 0) => askNextWave(deps, id, wave),
        accept: give('accept'),
        arrive: give('arrive'),
        start: give('start'),
        reach: give('reach'),
        close: (actor: Actor, id: string) =>
          refusalOf(commands.close({ actor, id, key: null }, { collected: 'all' })),
        rate: (actor: Actor, id: string) => refusalOf(commands.rate({ actor, id, key: null }, { rating: 4 })),
        cancel: (actor: Actor, id: string) =>
          refusalOf(commands.cancel({ actor, id, key: null }, { reason: 'other' })),
      }
    }

    const request = (): BookingRequest => ({
      pickup,
      drop,
      car_type_id: tested.carType,
      bookLater: false,
      payment_mode: 'cash',
    })

    async function addDriver(): Promise<Actor> {
      const added = await tested.add('driver')
      const at = { at: clock.now(), heardAt: clock.elapsed(), bearing: null }
      driverIndex.upsert({ ...centre, ...at, id: added.id, eligible: true, car_type_id: tested.carType })
      return added
    }

    /** A new booking for which the drivers near are asked. */
    async function asked(actor = rider): Promise<string> {
      const booked = await product().book(actor)
      if (booked instanceof Refusal) throw booked
      await product().ask(booked.booking.id)
      return booked.booking.id
    }
    const drive = async (id: string, actor = driver) => {
      for (const step of ['accept', 'arrive', 'start', 'reach', 'close'] as const)
        expect(await product()[step](actor, id)).not.toBeInstanceOf(Refusal)
    }
    const statusOf = async (id: string) => (await tested.store.read(id, clock.now()))?.booking.status

    test('whole trip -> its history, the driver free again, rated and paid', async () => {
      const id = await asked()
      await drive(id)
      const facts = await tested.store.facts(id, null, null)
      expect(facts?.driver).toMatchObject({ queue: false, trip: null })
      expect(facts?.requests).toEqual([])
      await product().rate(rider, id)
      expect(await tested.history(id)).toEqual([
        'create NEW',
        'request_drivers NEW',
        'accept ACCEPTED',
        'arrive ARRIVED',
        'start STARTED',
        'reach REACHED',
        'close PAID',
        'rate COMPLETE',
      ])
      expect((await tested.store.facts(id, driver.id, null))?.driver?.rating).toBe(4)
      // In cash, the driver keeps the fare and owes the fee.
      const fee = (await tested.store.read(id, clock.now()))?.booking.convenience_fees ?? 0
      expect(await tested.balance(driver.id)).toBe(-fee)
    })

    test('two drivers accept at the same moment -> one gets the trip, the other the reason', async () => {
      const other = await addDriver()
      const id = await asked()
      const late = await product(() => product().accept(other, id)).accept(driver, id)
      // PostgreSQL knows that a driver was asked as soon as the notification is written.
      expect(['already_taken', 'not_found']).toContain((late as Refusal).key)
      const facts = await tested.store.facts(id, null, null)
      expect(facts?.booking).toMatchObject({ status: 'ACCEPTED', driver: other.id })
      expect(facts?.driver).toMatchObject({ queue: true, trip: { status: 'ACCEPTED' } })
      await product().cancel(rider, id)
      expect((await tested.store.facts(id, other.id, null))?.driver?.queue).toBe(false)
    })

    test('driver accepts two trips at the same moment -> gets one', async () => {
      const [one, two] = [await asked(), await asked(await tested.add('rider'))]
      const second = await product(() => product().accept(driver, one)).accept(driver, two)
      expect(second).toBeInstanceOf(Refusal)
      expect([await statusOf(one), await statusOf(two)]).toEqual(['ACCEPTED', 'NEW'])
      for (const id of [one, two]) {
        const { customer } = (await tested.store.read(id, clock.now()))?.booking ?? { customer: '' }
        await product().cancel({ ...rider, id: customer }, id)
      }
    })

    test('rider cancels while a driver accepts -> cancelled, or accepted and then cancelled', async () => {
      const id = await asked()
      expect(await product(() => product().cancel(rider, id)).accept(driver, id)).toBeInstanceOf(Refusal)
      expect(await statusOf(id)).toBe('CANCELLED')
      const next = await asked()
      expect(await product(() => product().accept(driver, next)).cancel(rider, next)).toMatchObject({
        booking: { status: 'CANCELLED', version: 4 },
      })
      expect((await tested.store.facts(next, driver.id, null))?.driver?.queue).toBe(false)
    })

    test('same command twice at the same moment, with one key -> done once, both answered', async () => {
      const id = await asked()
      const again = await product(() => product().accept(driver, id, 'key')).accept(driver, id, 'key')
      expect(again).toMatchObject({ booking: { id, status: 'ACCEPTED', version: 3 } })
      expect(await product().accept(driver, id, 'key')).toMatchObject({ booking: { version: 3 } })
      await product().cancel(rider, id)
    })

    test('same booking twice at the same moment, with one key -> booked once', async () => {
      const own = await tested.add('rider')
      let first: unknown
      const second = await product(async () => {
        first = await product().book(own, {}, 'booking')
      }).book(own, {}, 'booking')
      expect(second).toEqual(first)
      expect(second).toMatchObject({ booking: { version: 1 } })
    })

    test('more bookings at the same moment than a rider may make -> the last is refused', async () => {
      const own = await tested.add('rider')
      await product().book(own)
      expect(await product(() => product().book(own)).book(own)).toMatchObject({ key: 'too_many_searches' })
    })

    test('last use of a promo twice at the same moment -> used once', async () => {
      const [promo, one, two] = [
        await tested.addPromo(),
        await tested.add('rider'),
        await tested.add('rider'),
      ]
      let first: unknown
      const second = await product(async () => {
        first = await product().book(one, { promo })
      }).book(two, { promo })
      expect(first).toMatchObject({ booking: { promo_applied: true } })
      expect(second).toBeInstanceOf(Refusal)
    })

    test('wallet pays one trip while it pays another -> never below zero', async () => {
      const own = await tested.add('rider', 1_000 * unit)
      const [one, two] = [await addDriver(), await addDriver()]
      const ids: string[] = []
      for (const _ of [one, two]) {
        const booked = await product().book(own, { payment_mode: 'wallet' })
        if (booked instanceof Refusal) throw booked
        ids.push(booked.booking.id)
        await product().ask(booked.booking.id)
      }
      const fares: number[] = []
      for (const [index, actor] of [one, two].entries()) {
        const id = ids[index] as string
        for (const step of ['accept', 'arrive', 'start', 'reach'] as const)
          expect(await product()[step](actor, id)).not.toBeInstanceOf(Refusal)
        fares.push((await tested.store.read(id, clock.now()))?.booking.trip_cost ?? 0)
      }
      await product(() => product().close(one, ids[0] as string)).close(two, ids[1] as string)
      const balance = await tested.balance(own.id)
      expect(balance).toBe(1_000 * unit - fares.reduce((sum, fare) => sum + fare, 0))
      expect(balance).toBeGreaterThanOrEqual(0)
    })

    test('wave twice at the same moment -> asked once', async () => {
      const booked = await product().book(await tested.add('rider'))
      if (booked instanceof Refusal) throw booked
      const { id } = booked.booking
      await product(() => product().ask(id)).ask(id)
      expect((await tested.history(id)).filter((line) => line.startsWith('request_drivers'))).toHaveLength(1)
    })

    test('unknown booking, driver who was never asked -> null and false', async () => {
      const nowhere = '00000000-0000-4000-8000-000000000000'
      expect(await tested.store.facts(nowhere, null, null)).toBeNull()
      expect(await tested.store.read(nowhere, clock.now())).toBeNull()
      expect(await tested.store.wasOffered(nowhere, driver.id)).toBe(false)
    })
  })
}

/** The result, or the refusal that was thrown. */
const refusalOf = <T>(work: Promise<T>): Promise<T | Refusal> =>
  work.catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })

/** The methods of a store, which may be an instance of a class. */
const bound = (store: BookingStore): BookingStore => ({
  facts: store.facts.bind(store),
  createFacts: store.createFacts.bind(store),
  read: store.read.bind(store),
  apply: store.apply.bind(store),
  wasOffered: store.wasOffered.bind(store),
  othersSearching: store.othersSearching.bind(store),
  freeDrivers: store.freeDrivers.bind(store),
})
