import { randomBytes } from 'node:crypto'
import type { BookingRequest } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import { createBooking as decideBooking } from '@hansom/domain/bookings/create'
import type { BookingIdentity } from '@hansom/domain/bookings/facts'
import { bookingCode, tripOtp } from '@hansom/domain/bookings/new-booking'
import { Refusal } from '@hansom/domain/error-keys'
import { unknownPromo } from '@hansom/domain/fare/promo'
import type { LatLng } from '@hansom/domain/geo/point'
import { encodePolyline } from '@hansom/domain/geo/polyline'
import { uuidv7 } from 'uuidv7'
import type { DriverIndex } from '../../adapters/driver-index/port.ts'
import type { Maps } from '../../adapters/maps/port.ts'
import { assertSameBody, bodyHash, idempotencyScope } from '../../platform/outbox/idempotency.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { eventsOf } from './booking-changed-event.ts'
import { findCandidates } from './dispatch/find-candidates.ts'
import type { CommandDeps } from './run-command.ts'
import { applyDecision, LostRace } from './store/apply-decision.ts'
import { loadCreateFacts } from './store/load-create-facts.ts'
import { type BookingWithRequests, readBooking } from './store/read-bookings.ts'

export interface CreateDeps extends CommandDeps {
  maps: Maps
  driverIndex: DriverIndex
}

const attempts = 20

/** Creates a booking, once per idempotency key. Throws Refusal. */
export async function createBooking(
  deps: CreateDeps,
  actor: Actor,
  request: BookingRequest,
  key: string | null,
): Promise<BookingWithRequests> {
  const plannedRoute = await planRoute(deps.maps, request.pickup, request.drop)
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(deps, actor, request, key, plannedRoute)
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
      if (attempt === attempts) throw new Refusal('conflict')
    }
  }
}

async function createOnce(
  deps: CreateDeps,
  actor: Actor,
  request: BookingRequest,
  key: string | null,
  route: PlannedRoute | null,
): Promise<BookingWithRequests> {
  const settings = await deps.settings.current()
  const scope = key && idempotencyScope({ user: actor.id, command: 'create', key })
  const hash = bodyHash(request)
  const customer = actor.role === 'admin' ? (request.customer ?? null) : actor.id
  const due = deps.clock.now() + settings.dispatch.leadMinutes * 60_000
  const loaded = await loadCreateFacts(deps.database.pool, {
    customer,
    car_type_id: request.car_type_id,
    promo: request.promo ?? null,
    due,
    scope,
  })
  if (loaded.kept) {
    assertSameBody(loaded.kept, hash)
    return readMade(deps, loaded.kept.booking)
  }
  if (request.promo !== undefined && !loaded.promo) throw unknownPromo()
  const driverNear = request.bookLater || (await isDriverNear(deps, request, settings))
  const now = deps.clock.now()
  const created = decideBooking(
    {
      by: { role: actor.role, id: actor.id },
      identity: newBookingIds(),
      settings,
      customer: loaded.customer,
      carType: loaded.carType,
      pickup: request.pickup,
      drop: request.drop,
      route,
      open: loaded.counts,
      driverNear,
      bookLater: request.bookLater,
      tripdate: request.tripdate ?? null,
      payment_mode: request.payment_mode,
      inAdvance: request.inAdvance ?? false,
      cardAvailable: deps.cardAvailable(settings.code),
      promo: loaded.promo,
      extras: 0,
      agreed: request.estimate ?? null,
      texts: request,
    },
    now,
  )
  if (created instanceof Refusal) throw created
  const { booking, entries, effects, event } = created
  const answer: BookingWithRequests = {
    booking,
    requests: [],
    outstanding: loaded.outstanding,
    riderRating: loaded.riderRating,
  }
  await applyDecision(deps.database.pool, {
    booking,
    isNew: true,
    changes: {},
    also: [],
    entries,
    effects,
    event,
    requests: [],
    mustStayNonNegative: [booking.customer],
    answeredBy: null,
    idempotency: scope ? { scope, body_hash: hash } : null,
    outboxEvents: eventsOf(booking, { entries, effects, event, otherTrips: [] }),
    // Checked at commit, since concurrent bookings do not see each other.
    unlessPaying: false,
    assumedCounts:
      actor.role === 'admin'
        ? null
        : { customer: actor.id, due, promo: booking.promo_id, counts: loaded.counts },
  })
  deps.outbox.wake()
  return answer
}

/** The response to a repeated request: the existing booking in its current state. */
async function readMade({ database, clock }: CreateDeps, id: string): Promise<BookingWithRequests> {
  const record = await readBooking(database.pool, id, clock.now())
  if (!record) throw new Refusal('not_found')
  return record
}

async function isDriverNear(
  deps: CreateDeps,
  { pickup, car_type_id, payment_mode }: BookingRequest,
  settings: CurrentSettings,
): Promise<boolean> {
  const search = { pickup, car_type_id, payment_mode, count: 1 }
  const { database, driverIndex, clock } = deps
  return (await findCandidates({ pool: database.pool, driverIndex, clock }, search, settings)).length > 0
}

/** The planned route of a trip, as a booking stores it. */
export interface PlannedRoute {
  distanceKm: number
  durationS: number
  polyline: string
}

/** The quickest route from pickup to drop, or null. Offers, estimates and bookings all use it. */
export async function planRoute(maps: Maps, pickup: LatLng, drop: LatLng): Promise<PlannedRoute | null> {
  if (!maps.covers(pickup) || !maps.covers(drop)) return null
  const route = await maps.route([
    { lat: pickup.lat, lng: pickup.lng },
    { lat: drop.lat, lng: drop.lng },
  ])
  if (!route) return null
  const { distanceKm, durationS, polyline } = route
  return { distanceKm, durationS, polyline: encodePolyline(polyline) }
}

/** The IDs and trip code of a new booking. They cannot be derived from those of another booking. */
export function newBookingIds(): BookingIdentity {
  const randoms = Array.from({ length: 7 }, () => randomBytes(4).readUInt32BE() / 2 ** 32)
  return { id: uuidv7(), booking_id: bookingCode(randoms), otp: tripOtp(randoms[6] as number) }
}
