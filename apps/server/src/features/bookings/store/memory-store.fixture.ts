import { outstandingOf } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import type { DriverFacts, RiderFacts } from '@hansom/domain/bookings/facts'
import { drivingStatuses, isOneOf } from '@hansom/domain/bookings/status'
import { unit } from '@hansom/domain/money/amount'
import { averageRating } from '@hansom/domain/users/profile'
import type { Application } from './apply-decision.ts'
import type { BookingStore } from './booking-store.ts'
import { Commit, Contents, countsOf, type MemoryUser } from './memory-commit.fixture.ts'
import { activeRequests, type BookingWithRequests, type RequestRow } from './read-bookings.ts'

/**
 * Bookings in memory, for simulations: what PostgreSQL promises, without its time. Taxi trips only; calls are not masked and
 * payments are not made.
 */
export class MemoryStore implements BookingStore {
  now = new Contents()

  addUser(id: string, usertype: MemoryUser['usertype'], more: Partial<MemoryUser> = {}): void {
    this.now.users.set(id, {
      id,
      usertype,
      approved: true,
      queue: false,
      driverActiveStatus: usertype === 'driver',
      location: null,
      located_at: null,
      carType: null,
      walletBalance: 0,
      name: id,
      image: null,
      contact: null,
      email: `${id}@example.test`,
      vehicle_number: null,
      vehicle_make: null,
      vehicle_model: null,
      fleetadmin: null,
      ratingSum: 0,
      ratingCount: 0,
      ...more,
    })
  }

  /** Adds a car type of the usual fares. */
  addCarType(id: string): void {
    this.now.carTypes.set(id, {
      id,
      name: 'Economy',
      image: null,
      fare_rule: {
        base_fare: 20 * unit,
        rate_per_unit_distance: 10 * unit,
        rate_per_hour: 60 * unit,
        min_fare: 50 * unit,
        convenience_fees: 10 * unit,
        convenience_fee_type: 'percentage',
      },
      cancel_slab: [{ minsDelayed: 2, amount: 5 * unit }],
      seats: 4,
      parcel_types: [],
      options: [],
    })
  }

  async facts(id: string, asked: string | null, scope: string | null) {
    const booking = this.now.bookings.get(id)
    if (!booking) return null
    return {
      booking,
      delivery: null,
      replaced: [],
      requests: this.requestsOf(id),
      rider: this.riderFacts(booking.customer),
      riderRating: this.ratingOf(booking.customer),
      driver: this.driverFacts(asked ?? booking.driver),
      takenLines: [],
      kept: this.now.keys.get(scope ?? '') ?? null,
    }
  }

  async createFacts(lookup: Parameters<BookingStore['createFacts']>[0]) {
    const { customer, car_type_id, promo, due, scope } = lookup
    const user = this.now.users.get(customer ?? '')
    const wanted = [...this.now.promos.values()].find(
      ({ promo_name }) => promo_name.toLowerCase() === promo?.trim().toLowerCase(),
    )
    const counts = countsOf(this.now, customer ?? '', due, wanted?.id ?? null)
    return {
      customer: user
        ? {
            id: user.id,
            usertype: user.usertype,
            approved: user.approved,
            name: user.name,
            contact: user.contact,
            email: user.email,
            image: user.image,
            walletBalance: user.walletBalance,
          }
        : null,
      outstanding: user ? outstandingOf(this.riderFacts(user.id)) : 0,
      riderRating: user ? this.ratingOf(user.id) : null,
      carType: this.now.carTypes.get(car_type_id) ?? null,
      promo: wanted ? { ...wanted, used_by_rider: counts.promo_uses } : null,
      counts,
      kept: this.now.keys.get(scope ?? '') ?? null,
    }
  }

  async read(id: string, now: number): Promise<BookingWithRequests | null> {
    const booking = this.now.bookings.get(id)
    if (!booking) return null
    return {
      booking,
      delivery: null,
      requests: activeRequests(this.requestsOf(id), now),
      outstanding: outstandingOf(this.riderFacts(booking.customer), booking),
      riderRating: this.ratingOf(booking.customer),
    }
  }

  async wasOffered(booking: string, driver: string) {
    return this.now.asked.has(`${booking} ${driver}`)
  }

  async othersSearching({ id, customer, tripdate }: Booking) {
    return [...this.now.bookings.values()].filter(
      (one) =>
        one.customer === customer &&
        one.status === 'NEW' &&
        one.id !== id &&
        !one.booking_type_admin &&
        (!one.bookLater || one.tripdate < tripdate || (one.tripdate === tripdate && one.id < id)),
    ).length
  }

  async freeDrivers(ids: readonly string[], car_type_id: string) {
    return ids.flatMap((id) => {
      const user = this.now.users.get(id)
      const isFree = user?.usertype === 'driver' && user.approved && user.driverActiveStatus && !user.queue
      return isFree && user.carType === car_type_id ? [{ id, wallet_balance: user.walletBalance }] : []
    })
  }

  async apply(application: Application): Promise<void> {
    const next = this.now.copy()
    new Commit(next, application).run()
    this.now = next
  }

  private requestsOf(booking: string): RequestRow[] {
    return [...this.now.requests.values()].filter(({ booking_id }) => booking_id === booking)
  }

  private ratingOf(user: string): number | null {
    const { ratingSum = 0, ratingCount = 0 } = this.now.users.get(user) ?? {}
    return ratingCount === 0 ? null : averageRating(ratingSum, ratingCount)
  }

  private riderFacts(rider: string): RiderFacts {
    const trips = [...this.now.bookings.values()].filter(
      ({ customer, status, objection }) =>
        customer === rider && (status === 'PENDING' || objection === 'open'),
    )
    trips.sort((a, b) => (a.closed_at ?? 0) - (b.closed_at ?? 0) || (a.id < b.id ? -1 : 1))
    return { walletBalance: this.now.users.get(rider)?.walletBalance ?? 0, trips }
  }

  private driverFacts(id: string | null): DriverFacts | null {
    const user = id === null ? undefined : this.now.users.get(id)
    if (!user) return null
    const trip = [...this.now.bookings.values()].find(
      ({ driver, status }) => driver === id && isOneOf(drivingStatuses, status),
    )
    const { email: _email, ratingSum: _sum, ratingCount: _count, ...facts } = user
    return {
      ...facts,
      rating: this.ratingOf(user.id),
      trip: trip ? { status: trip.status, drop: trip.drop } : null,
    }
  }
}
