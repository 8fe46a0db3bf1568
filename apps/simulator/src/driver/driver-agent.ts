import { isRefusal } from '@hansom/client/api-error'
import type { Client } from '@hansom/client/client'
import type { BookingView } from '@hansom/contract/bookings'
import type { ListChange } from '@hansom/contract/live'
import type { DriverState } from '@hansom/contract/tracking'
import { nextStop } from '@hansom/domain/deliveries/delivery'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { locationFreshMs } from '@hansom/domain/users/eligibility'
import { between, chance } from '../city/random.ts'
import type { SignedInFetch } from '../city/signed-in-fetch.ts'
import { lineFor, say } from '../city/small-talk.ts'
import { type City, pricedRoute, randomAddress, routeBetween } from '../city/streets.ts'
import type { AskedDrivers } from './asked-drivers.ts'
import { Courier } from './courier.ts'
import { boardingTime, courtesyTime, reactionTime } from './response-time.ts'
import { followRoute, type RoutePose } from './route-follower.ts'
import type { TripCodeExchange } from './trip-code-exchange.ts'

/**
 * Longest pause between positions: a car that is silent for two minutes of the city's time counts as offline, at any
 * clock speed.
 */
const longestSilenceMs = locationFreshMs / 3
/** Within this distance the car is at a place. */
const atPlaceKm = 0.06

const legOf = (booking: BookingView): string => {
  const { id, status, pickup, drop } = booking
  const stop = nextStop(booking.delivery)
  const target = status === 'STARTED' ? (stop?.place ?? drop) : pickup
  return `${id}:${status}:${stop?.n ?? ''}:${target.lat},${target.lng}`
}

type RouteFollower = (now: number) => RoutePose

export interface DriverContext {
  client: Client
  city: City
  asked: AskedDrivers
  tripCodes: TripCodeExchange
  send: SignedInFetch
  log(text: string): void
}

/**
 * A simulated driver: cruises, accepts a request and drives it to the end along the streets. Its state comes only from
 * the public API and its live connection, so after any interruption it continues from the booking's status.
 */
export class DriverAgent {
  private place: LatLng = { lat: 0, lng: 0 }
  /** Random heading of a parked car. */
  private bearing = Math.random() * 360
  private follower: RouteFollower | null = null
  private booking: BookingView | null = null
  private considered = new Set<string>()
  /** The last request during a trip, answered once the trip has ended. */
  private upcoming: BookingView | null = null
  private readonly timers = new Set<NodeJS.Timeout>()
  private stepping = false
  /** The leg whose route was driven to its end: the street may end well before the place. */
  private driven: string | null = null
  private lastSent = 0
  private readonly uid: string
  private readonly world: DriverContext
  private readonly courier: Courier

  constructor(uid: string, world: DriverContext) {
    this.uid = uid
    this.world = world
    this.courier = new Courier(world)
  }

  async start(): Promise<void> {
    const { city } = this.world
    const { api, live } = this.world.client
    const state: DriverState = await api.tracking.state()
    const start = state.location ?? (await randomAddress(api, city)) ?? city.center
    this.moveTo({ lat: start.lat, lng: start.lng })
    this.bearing = state.location?.bearing ?? this.bearing
    await this.report()
    if (!state.driverActiveStatus) await api.tracking.online({ online: true })
    live.subscribe('bookings', {
      snapshot: (bookings) =>
        this.continueWith(bookings.find((booking) => booking.driver === this.uid) ?? null),
      event: (change) => this.readBooking(change),
    })
    live.subscribe('requests', {
      snapshot: (requests) => requests.forEach((booking) => this.consider(booking)),
      event: (change) => {
        if ('put' in change) this.consider(change.put)
        else if (change.remove === this.upcoming?.id) this.upcoming = null
      },
    })
    this.cruiseLater()
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer)
    this.world.client.close()
  }

  /** Moves the car; called once a second. Parked cars report their position only every few seconds. */
  tick(): void {
    const now = this.world.client.clock.now()
    const position = this.follower?.(now)
    if (position) {
      this.moveTo(position)
      this.bearing = position.bearing
    }
    const longest = longestSilenceMs / this.world.client.clock.speed
    const pause = this.booking ? 900 : Math.min(longest, position ? 2_500 : 10_000)
    if (performance.now() - this.lastSent >= pause) this.send(now, position?.speed ?? 0)
    if (position?.arrived) {
      this.follower = null
      if (this.booking) {
        this.driven = legOf(this.booking)
        void this.step()
      } else this.cruiseLater()
    }
  }

  private moveTo(point: LatLng): void {
    this.place = { lat: point.lat, lng: point.lng }
  }

  private send(now: number, speed: number): void {
    const position = {
      ...this.place,
      at: now,
      bearing: this.bearing,
      speed: Math.min(399, speed),
      accuracy: 5,
    }
    if (!this.world.client.live.sendPosition(position)) return
    this.lastSent = performance.now()
  }

  private async report(): Promise<void> {
    const positions = [
      { ...this.place, at: this.world.client.clock.now(), bearing: this.bearing, speed: 0, accuracy: 5 },
    ]
    await this.world.client.api.tracking.report({ positions })
  }

  private later(seconds: number, run: () => unknown): void {
    const timer = setTimeout(
      () => {
        this.timers.delete(timer)
        Promise.resolve(run()).catch((error: unknown) => this.world.log(`driver: ${String(error)}`))
      },
      (seconds * 1000) / this.world.client.clock.speed,
    )
    this.timers.add(timer)
  }

  private cruiseLater(): void {
    this.later(between(10, 120), () => this.cruise())
  }

  private async cruise(): Promise<void> {
    if (this.booking || this.follower) return
    const target = await randomAddress(this.world.client.api, this.world.city)
    const route = target ? await routeBetween(this.world.client.api, this.place, target) : null
    if (this.booking || this.follower) return
    if (route) this.follower = followRoute(route, this.world.client.clock.now(), 0.7)
    else this.cruiseLater()
  }

  private consider(request: BookingView): void {
    const { asked, client } = this.world
    asked.record(this.uid, request)
    // An admin may ask for the next trip.
    if (this.booking) this.upcoming = request
    if (this.booking || this.considered.has(request.id)) return
    this.considered.add(request.id)
    this.later(reactionTime(request, Math.random()), () => {
      this.later(
        asked.isPersonAsked(request) ? courtesyTime(request, client.clock.now(), Math.random()) : 0,
        () => this.accept(request),
      )
    })
  }

  private async accept(request: BookingView): Promise<void> {
    this.considered.delete(request.id)
    if (this.booking) return
    try {
      this.continueWith(await this.world.client.api.bookings.accept({ id: request.id }))
    } catch (error) {
      // Another driver was faster or the rider cancelled: nothing to do.
      if (!isRefusal(error)) throw error
    }
  }

  private readBooking(change: ListChange): void {
    if ('remove' in change) {
      if (change.remove === this.booking?.id) this.continueWith(null)
    } else if (change.put.driver === this.uid) this.continueWith(change.put)
  }

  /** Continues a booking from its current status. An older version of the same booking is ignored. */
  private continueWith(view: BookingView | null): void {
    const open = view && !['PAID', 'COMPLETE', 'CANCELLED'].includes(view.status) ? view : null
    if (!open && view && this.booking && view.id !== this.booking.id) return
    if (open && this.booking?.id === open.id && open.version <= this.booking.version) return
    if (open && this.booking && open.id !== this.booking.id && open.status === 'PENDING') return
    const before = this.booking
    this.booking = open
    if (!open) {
      if (before) {
        this.world.tripCodes.forget(before.id)
        this.follower = null
        const { upcoming } = this
        this.upcoming = null
        if (upcoming) this.consider(upcoming)
        else this.cruiseLater()
      }
      return
    }
    // A trip that was under way before the simulator started has had its words.
    if (before ? before.status !== open.status : open.status === 'ACCEPTED') this.talk(open)
    // A changed place is another leg.
    if (!before || legOf(before) !== legOf(open)) {
      this.follower = null
      void this.step()
    }
  }

  private talk(booking: BookingView): void {
    const line = lineFor('driver', booking)
    if (line !== null) this.later(between(1, 4), () => say(this.world.client, booking.id, line))
  }

  /** Performs the next step for the status: drive there, or send the command once there. */
  private async step(): Promise<void> {
    if (this.stepping || !this.booking) return
    this.stepping = true
    try {
      await this.nextStep(this.booking)
    } catch (error) {
      if (!isRefusal(error)) this.world.log(`driver: ${String(error)}`)
      this.later(5, () => this.step())
    } finally {
      this.stepping = false
    }
  }

  private async nextStep(booking: BookingView): Promise<void> {
    const { bookings } = this.world.client.api
    const id = booking.id
    switch (booking.status) {
      case 'ACCEPTED':
        if (await this.driveTo(booking.pickup)) this.then(between(1, 3), () => bookings.arrive({ id }))
        return
      case 'ARRIVED':
        return this.then(boardingTime(booking, this.world.client.clock.now(), Math.random()), () =>
          this.courier.start(booking, this.world.tripCodes.codeOf(id)),
        )
      case 'STARTED': {
        const stop = nextStop(booking.delivery)
        if (stop) {
          if (await this.driveTo(stop.place)) {
            this.then(between(3, 8), () => this.courier.visit(booking, stop))
          }
          return
        }
        if (booking.delivery || (await this.driveTo(booking.drop, booking))) {
          this.then(between(2, 4), () => bookings.reach({ id }))
        }
        return
      }
      case 'REACHED':
        return this.then(between(3, 6), () => bookings.close({ id, collected: 'all' }))
      case 'PENDING':
        if (booking.commands.includes('confirm_cash'))
          this.then(between(20, 40), () => bookings.confirm_cash({ id }))
        return
      default:
        return
    }
  }

  /**
   * Starts driving to a point, along the priced route if the car is at its start. Returns true when the car is already
   * there.
   */
  private async driveTo(target: LatLng, booking?: BookingView): Promise<boolean> {
    if (greatCircleKm(this.place, target) < atPlaceKm) return true
    if (this.booking && this.driven === legOf(this.booking)) return true
    const shown = booking ? pricedRoute(booking, this.place) : null
    const route = shown ?? (await routeBetween(this.world.client.api, this.place, target))
    if (!route || route.km < 0.03) return true
    this.follower = followRoute(route, this.world.client.clock.now(), between(0.95, 1.15))
    return false
  }

  /** Sends a command after a human-like pause and continues with the result; retries when refused. */
  private then(seconds: number, command: () => Promise<BookingView>): void {
    const { id, status } = this.booking as BookingView
    this.later(seconds, async () => {
      if (this.booking?.id !== id || this.booking.status !== status) return
      try {
        const view = await command()
        if (view.status === 'PAID' && chance(0.8)) await this.rateRider(id)
        this.continueWith(view)
      } catch (error) {
        if (!isRefusal(error)) this.world.log(`driver: ${String(error)}`)
        this.then(10, command)
      }
    })
  }

  private async rateRider(id: string): Promise<void> {
    await this.world.client.api.bookings
      .rate_rider({ id, rating: chance(0.8) ? 5 : 4 })
      .catch(() => undefined)
  }
}
