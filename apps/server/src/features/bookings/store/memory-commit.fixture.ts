import type { Booking } from '@hansom/domain/bookings/booking'
import type { BookingEvent } from '@hansom/domain/bookings/decision'
import type { CarTypeTerms, DriverFacts } from '@hansom/domain/bookings/facts'
import { drivingStatuses, isOneOf } from '@hansom/domain/bookings/status'
import type { Promo } from '@hansom/domain/fare/promo'
import { type Entry, userOf } from '@hansom/domain/wallet/ledger'
import type { NewEvent } from '../../../platform/outbox/event.ts'
import { type Application, LostRace, type RiderCounts } from './apply-decision.ts'
import type { KeptRefusal, RequestRow } from './read-bookings.ts'

/** A user as bookings need it; riders have no car. */
export interface MemoryUser extends Omit<DriverFacts, 'rating' | 'trip'> {
  email: string | null
  ratingSum: number
  ratingCount: number
}

/** Everything that commands on bookings write, as one value: a commit replaces it whole, or not at all. */
export class Contents {
  users = new Map<string, MemoryUser>()
  carTypes = new Map<string, CarTypeTerms>()
  promos = new Map<string, Promo>()
  bookings = new Map<string, Booking>()
  /** By booking and driver. */
  requests = new Map<string, RequestRow>()
  /** By booking and version. */
  events = new Map<string, BookingEvent>()
  /** By key. */
  entries = new Map<string, Entry>()
  /** By scope. */
  keys = new Map<string, { body_hash: string; booking: string; result: KeptRefusal | null }>()
  /** By booking and rated user. */
  ratings = new Set<string>()
  /** Drivers who were ever asked, by booking and driver. */
  asked = new Set<string>()
  outbox: NewEvent[] = []

  copy(): Contents {
    const copy = new Contents()
    copy.users = new Map(this.users)
    copy.carTypes = this.carTypes
    copy.promos = new Map(this.promos)
    copy.bookings = new Map(this.bookings)
    copy.requests = new Map(this.requests)
    copy.events = new Map(this.events)
    copy.entries = new Map(this.entries)
    copy.keys = new Map(this.keys)
    copy.ratings = new Set(this.ratings)
    copy.asked = new Set(this.asked)
    copy.outbox = [...this.outbox]
    return copy
  }
}

/** See rider_counts.sql. */
export function countsOf(
  { bookings }: Contents,
  rider: string,
  due: number,
  promo: string | null,
): RiderCounts {
  const own = [...bookings.values()].filter(({ customer }) => customer === rider)
  const open = own.filter(
    ({ booking_type_admin, status }) =>
      !booking_type_admin && isOneOf(['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'], status),
  )
  return {
    now: open.filter(({ bookLater }) => !bookLater).length,
    later: open.filter(({ bookLater }) => bookLater).length,
    searching: open.filter((one) => one.status === 'NEW' && (!one.bookLater || one.tripdate <= due)).length,
    promo_uses:
      promo === null
        ? 0
        : own.filter(({ promo_id, status }) => promo_id === promo && status !== 'CANCELLED').length,
  }
}

/** What is stored is shared with its readers, and nothing may write to it any more. */
function frozen<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}

/** Writes one decision into a copy of the contents; throws LostRace where PostgreSQL would. */
export class Commit {
  private readonly to: Contents
  private readonly given: Application

  constructor(to: Contents, given: Application) {
    this.to = to
    this.given = given
  }

  run(): void {
    const { to, given } = this
    const { booking, isNew, together = [], also, effects, event, idempotency, outboxEvents } = given
    if (given.delivery || given.stops?.length) throw new Error('deliveries are not stored in memory')
    this.expectCounts()
    if (idempotency) {
      if (to.keys.has(idempotency.scope)) throw new LostRace('HN001')
      const { scope, body_hash, result = null } = idempotency
      to.keys.set(scope, { body_hash, booking: booking.id, result })
    }
    const rebooked = effects.flatMap((effect) => (effect.kind === 'rebook' ? [effect.booking] : []))
    for (const one of isNew ? [booking, ...together.map((made) => made.booking), ...rebooked] : rebooked)
      this.insert(one)
    if (!isNew) this.change(booking, given.changes)
    for (const one of also) this.change(one.booking, one.changes)
    this.people()
    this.requests()
    this.history(booking.id, isNew ? booking.version : booking.version + 1, event)
    for (const one of rebooked)
      this.history(one.id, one.version, { ...event, command: 'create', from: null, to: one.status })
    for (const one of together) this.history(one.booking.id, one.booking.version, one.event)
    for (const one of also) this.history(one.booking.id, one.booking.version + 1, one.event)
    to.outbox.push(...frozen(outboxEvents))
  }

  private expectCounts(): void {
    const expected = this.given.assumedCounts
    if (!expected) return
    const { customer, due, promo, counts } = expected
    const found = countsOf(this.to, customer, due, promo)
    const names = ['now', 'later', 'searching', 'promo_uses'] as const
    if (names.some((name) => found[name] !== counts[name])) throw new LostRace('HN020')
  }

  private insert(booking: Booking): void {
    const { bookings } = this.to
    for (const other of bookings.values()) {
      if (other.booking_id === booking.booking_id) throw new LostRace('bookings_booking_id_unique')
      if (booking.rebooked_from !== null && other.rebooked_from === booking.rebooked_from)
        throw new LostRace('bookings_rebooked_once')
    }
    bookings.set(booking.id, frozen(booking))
  }

  private change({ id, version }: Booking, changes: Partial<Booking>): void {
    const { bookings } = this.to
    const stored = bookings.get(id)
    if (stored?.version !== version) throw new LostRace('HN002')
    const next = { ...stored, ...changes, version: version + 1 }
    const isDriving = (one: Booking) => one.driver !== null && isOneOf(drivingStatuses, one.status)
    for (const other of bookings.values())
      if (other.id !== id && isDriving(next) && isDriving(other) && other.driver === next.driver)
        throw new LostRace('bookings_one_trip_a_driver')
    bookings.set(id, frozen(next))
  }

  /** Drivers claimed and freed, money, promos and ratings. */
  private people(): void {
    const { to, given } = this
    for (const effect of given.effects) {
      if (effect.kind === 'claim_driver') {
        const driver = to.users.get(effect.driver)
        if (driver?.usertype !== 'driver' || !driver.approved || driver.queue) throw new LostRace('HN003')
        this.user(effect.driver, { queue: true })
      }
      if (effect.kind === 'free_driver') this.user(effect.driver, { queue: false })
    }
    for (const entry of given.entries) this.append(entry)
    for (const user of given.mustStayNonNegative)
      if (this.hasMoved(user) && (to.users.get(user)?.walletBalance ?? 0) < 0) throw new LostRace('HN004')
    for (const effect of given.effects) {
      if (effect.kind === 'release_promo') this.usePromo(effect.promo, -1)
      if (effect.kind === 'reserve_promo') this.usePromo(effect.promo, 1)
      if (effect.kind === 'rate_driver') this.rate(effect.driver, effect.rate)
      if (effect.kind === 'rate_rider') this.rate(effect.rider, effect.rate)
    }
  }

  private hasMoved(user: string): boolean {
    return this.given.entries.some(({ legs }) => legs.some(({ account }) => userOf(account) === user))
  }

  private append(entry: Entry): void {
    if (this.to.entries.has(entry.key)) throw new LostRace('ledger_entries_key_unique', entry.key)
    this.to.entries.set(entry.key, frozen(entry))
    for (const { account, amount } of entry.legs) {
      const user = this.to.users.get(userOf(account) ?? '')
      if (user) this.user(user.id, { walletBalance: user.walletBalance + amount })
    }
  }

  private usePromo(id: string, more: 1 | -1): void {
    const promo = this.to.promos.get(id)
    if (!promo) return
    const isUsable = promo.user_avail < promo.promo_usage_limit && promo.promo_validity >= this.given.event.at
    if (more === 1 && !isUsable) throw new LostRace('HN005')
    this.to.promos.set(id, { ...promo, user_avail: Math.max(0, promo.user_avail + more) })
  }

  private rate(user: string, rate: number): void {
    const key = `${this.given.booking.id} ${user}`
    if (this.to.ratings.has(key)) throw new LostRace('user_ratings_booking_id_user_id_pk')
    this.to.ratings.add(key)
    const { ratingSum = 0, ratingCount = 0 } = this.to.users.get(user) ?? {}
    this.user(user, { ratingSum: ratingSum + rate, ratingCount: ratingCount + 1 })
  }

  private requests(): void {
    const { to, given } = this
    const { booking, answeredBy } = given
    const key = (driver: string) => `${booking.id} ${driver}`
    if (answeredBy !== null && !to.requests.delete(key(answeredBy))) throw new LostRace('HN006')
    for (const effect of given.effects) {
      if (effect.kind === 'remove_request') to.requests.delete(key(effect.driver))
      if (effect.kind === 'remove_requests')
        for (const [name, { booking_id }] of to.requests)
          if (booking_id === booking.id) to.requests.delete(name)
    }
    if (!given.effects.some(({ kind }) => kind === 'ask_drivers')) return
    for (const row of given.requests) {
      to.requests.set(key(row.driver_id), frozen(row))
      to.asked.add(key(row.driver_id))
    }
  }

  private user(id: string, changes: Partial<MemoryUser>): void {
    const user = this.to.users.get(id)
    if (!user) throw new LostRace('HN007')
    this.to.users.set(id, frozen({ ...user, ...changes }))
  }

  private history(booking: string, version: number, event: BookingEvent): void {
    const key = `${booking} ${version}`
    if (this.to.events.has(key)) throw new Error(`the history has ${key} already`)
    this.to.events.set(key, frozen(event))
  }
}
