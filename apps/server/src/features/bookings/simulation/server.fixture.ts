import type { BookingRequest } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import type { BookingIdentity } from '@hansom/domain/bookings/facts'
import type { LatLng } from '@hansom/domain/geo/point'
import { embeddedDriverIndex } from '../../../adapters/driver-index/embedded.ts'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { type BookingCommands, bookingCommands, type PeopleCommandDeps } from '../commands.ts'
import { createBooking } from '../create-booking.ts'
import type { WaveDeps } from '../dispatch/wave.ts'
import type { BookingStore } from '../store/booking-store.ts'
import type { MemoryStore } from '../store/memory-store.fixture.ts'
import type { BookingWithRequests } from '../store/read-bookings.ts'
import { quietDeps, straightMaps } from '../straight-city.fixture.ts'
import { DriverContacts } from '../tracking/active-trips.ts'
import type { Scheduler } from './scheduler.fixture.ts'

/** The server was killed, or its connection to the database broke; what was asked may have been done. */
export class Broken extends Error {}

/** What no command of the simulation may use. */
export const absent = new Proxy({} as never, {
  get: (_, name) => {
    throw new Error(`the simulation has no ${String(name)}`)
  },
})

interface ServerOptions {
  time: Scheduler
  store: MemoryStore
  settings: CurrentSettings
  /** How often a call of the store fails, before or after its effect. */
  failing: number
  newIds(): BookingIdentity
}

/** One of several servers: the product's own code for bookings and dispatch, on a store that is far away and may fail. */
export class SimulatedServer {
  isRunning = true
  readonly driverIndex: DriverIndex = embeddedDriverIndex()
  readonly deps: PeopleCommandDeps & WaveDeps
  readonly commands: BookingCommands
  /** Counts its lives: what began in a former one ends nowhere. */
  private life = 0
  private readonly clock: Clock
  private readonly options: ServerOptions

  constructor(options: ServerOptions) {
    this.options = options
    const { time, store, settings, newIds } = options
    const clock = time.clock(time.between(-300, 300))
    this.clock = clock
    this.deps = {
      ...quietDeps,
      store: this.far(store),
      newIds,
      clock,
      settings: { current: async () => settings },
      maps: straightMaps(),
      driverIndex: this.driverIndex,
      drivers: {
        isCurrent: () => true,
        readAround: async () => {
          this.readDrivers()
          return true
        },
      },
      startedAt: clock.now(),
      contacts: new DriverContacts(clock),
      carTypes: absent,
      database: absent,
      users: absent,
    }
    this.commands = bookingCommands(this.deps)
  }

  create(actor: Actor, request: BookingRequest, key: string): Promise<BookingWithRequests> {
    return createBooking(this.deps, actor, request, key)
  }

  kill(): void {
    this.life++
    this.isRunning = false
  }

  start(): void {
    this.isRunning = true
    this.readDrivers()
  }

  /** What this server learns of a driver: the position, and whether they may be asked. */
  learn(driver: string, at: LatLng): void {
    const user = this.options.store.now.users.get(driver)
    if (!user) return
    this.driverIndex.upsert({
      id: driver,
      ...at,
      at: this.clock.now(),
      heardAt: this.clock.elapsed(),
      bearing: null,
      car_type_id: user.carType,
      eligible: user.approved && user.driverActiveStatus && !user.queue,
    })
  }

  private readDrivers(): void {
    for (const { id, usertype, location } of this.options.store.now.users.values())
      if (usertype === 'driver' && location) this.learn(id, location)
  }

  /** The store as seen from here: each call takes time, and breaks with the server or the connection. */
  private far(store: BookingStore): BookingStore {
    const call = async <T>(work: () => Promise<T>): Promise<T> => {
      const { time, failing } = this.options
      const { life } = this
      const way = async () => {
        await time.delay(time.between(0.2, 8))
        if (life !== this.life || time.chance(failing)) throw new Broken()
      }
      await way()
      const answer = await work()
      await way()
      return answer
    }
    return {
      facts: (...given) => call(() => store.facts(...given)),
      createFacts: (given) => call(() => store.createFacts(given)),
      read: (...given) => call(() => store.read(...given)),
      apply: (given) => call(() => store.apply(given)),
      wasOffered: (...given) => call(() => store.wasOffered(...given)),
      othersSearching: (given) => call(() => store.othersSearching(given)),
      freeDrivers: (...given) => call(() => store.freeDrivers(...given)),
    }
  }
}
