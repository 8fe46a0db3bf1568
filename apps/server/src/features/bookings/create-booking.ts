import { randomBytes } from 'node:crypto'
import type { BookingRequest } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import { type BookingGroup, createBookings } from '@hansom/domain/bookings/create'
import type { BookingIdentity } from '@hansom/domain/bookings/facts'
import { bookingCode, type CreateFacts, tripOtp } from '@hansom/domain/bookings/new-booking'
import { Refusal } from '@hansom/domain/error-keys'
import { unknownPromo } from '@hansom/domain/fare/promo'
import type { LatLng } from '@hansom/domain/geo/point'
import { encodePolyline } from '@hansom/domain/geo/polyline'
import { uuidv7 } from 'uuidv7'
import type { DriverIndex } from '../../adapters/driver-index/port.ts'
import type { Maps } from '../../adapters/maps/port.ts'
import type { Database } from '../../platform/database/database.ts'
import { assertSameBody, bodyHash, idempotencyScope } from '../../platform/outbox/idempotency.ts'
import type { CurrentSettings } from '../settings/service.ts'
import type { NewGuest } from '../users/guests.ts'
import type { UsersService } from '../users/service.ts'
import { eventsOf } from './booking-changed-event.ts'
import { findCandidates } from './dispatch/find-candidates.ts'
import type { CommandDeps } from './run-command.ts'
import { type Application, applyDecision, LostRace } from './store/apply-decision.ts'
import { loadCreateFacts } from './store/load-create-facts.ts'
import { type BookingWithRequests, readBooking } from './store/read-bookings.ts'

export interface CreateDeps extends CommandDeps {
  maps: Maps
  driverIndex: DriverIndex
  database: Pick<Database, 'pool' | 'withTransaction'>
  users: Pick<UsersService, 'findCaller' | 'addGuest'>
}

const attempts = 20

/** Creates a booking, once per idempotency key. Throws Refusal. */
export async function createBooking(
  deps: CreateDeps,
  actor: Actor,
  request: BookingRequest,
  key: string | null,
): Promise<BookingWithRequests> {
  refuseForeignFields(actor, request)
  const { pickup, drop, returnAt } = request
  const [there, back] = await Promise.all([
    planRoute(deps.maps, pickup, drop),
    returnAt === undefined ? null : planRoute(deps.maps, drop, pickup),
  ])
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(deps, actor, request, key, { there, back })
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
  routes: { there: PlannedRoute | null; back: PlannedRoute | null },
): Promise<BookingWithRequests> {
  const settings = await deps.settings.current()
  const scope = key && idempotencyScope({ user: actor.id, command: 'create', key })
  const hash = bodyHash(request)
  const found = await customerOf(deps, actor, request)
  const guest = typeof found === 'object' ? found : null
  const customer = guest?.id ?? (found as string | null)
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
  const driverNear = request.bookLater || (await areDriversNear(deps, request, settings))
  const now = deps.clock.now()
  const { cars = 1, returnAt } = request
  const group = groupOf(cars, returnAt, routes.back)
  const created = createBookings(
    {
      by: { role: actor.role, id: actor.id },
      identity: newBookingIds(),
      settings,
      customer: guest ? guestFacts(guest) : loaded.customer,
      carType: loaded.carType,
      pickup: request.pickup,
      drop: request.drop,
      route: routes.there,
      open: loaded.counts,
      driverNear,
      bookLater: request.bookLater,
      tripdate: request.tripdate ?? null,
      passengers: request.passengers ?? null,
      group: cars > 1 || returnAt !== undefined ? uuidv7() : null,
      payment_mode: request.payment_mode,
      inAdvance: request.inAdvance ?? false,
      cardAvailable: deps.cardAvailable(settings.code),
      promo: loaded.promo,
      extras: 0,
      agreed: request.estimate ?? null,
      texts: request,
    },
    group,
    now,
  )
  if (created instanceof Refusal) throw created
  const [first, ...together] = created
  if (first === undefined) throw new TypeError('a request makes at least one booking')
  const { booking, entries, effects, event } = first
  const answer: BookingWithRequests = {
    booking,
    requests: [],
    outstanding: loaded.outstanding,
    riderRating: loaded.riderRating,
  }
  const application: Application = {
    booking,
    isNew: true,
    together,
    changes: {},
    also: [],
    entries,
    effects,
    event,
    requests: [],
    mustStayNonNegative: [booking.customer],
    answeredBy: null,
    idempotency: scope ? { scope, body_hash: hash } : null,
    outboxEvents: created.flatMap((one) => eventsOf(one.booking, { ...one, otherTrips: [] })),
    // Checked at commit, since concurrent bookings do not see each other.
    unlessPaying: false,
    assumedCounts:
      actor.role === 'admin'
        ? null
        : { customer: actor.id, due, promo: booking.promo_id, counts: loaded.counts },
  }
  if (guest === null) await applyDecision(deps.database.pool, application)
  else
    await deps.database.withTransaction(async (tx) => {
      // Another admin has added the number, or an account has proven it: book for that rider.
      if (!(await deps.users.addGuest(tx, actor, guest))) throw new LostRace('users_guest_mobile')
      await applyDecision(tx.client, application)
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

/** Throws invalid_input for fields that only admins may send, or that exclude each other. */
function refuseForeignFields(actor: Actor, request: BookingRequest): void {
  const { customer, guest, cars = 1, returnAt, promo, inAdvance } = request
  const refused = (field: string) =>
    new Refusal('invalid_input', { fields: [{ field, error: 'unknown_field' }] })
  const isGroup = cars > 1 || returnAt !== undefined
  if (actor.role !== 'admin') {
    if (guest !== undefined) throw refused('guest')
    if (isGroup) throw refused(cars > 1 ? 'cars' : 'returnAt')
  }
  if (customer !== undefined && guest !== undefined) throw refused('guest')
  // A promo is used once, and an advance payment is for one booking.
  if (isGroup && promo !== undefined) throw refused('promo')
  if (isGroup && inAdvance) throw refused('inAdvance')
}

/** The rider's id; for a caller whose number is new, the guest who is added with the booking. */
async function customerOf(
  deps: CreateDeps,
  actor: Actor,
  request: BookingRequest,
): Promise<string | NewGuest | null> {
  if (actor.role !== 'admin') return actor.id
  return request.guest ? deps.users.findCaller(request.guest) : (request.customer ?? null)
}

function guestFacts({
  id,
  usertype,
  approved,
  firstName,
  lastName,
  mobile,
}: NewGuest): CreateFacts['customer'] {
  const name = `${firstName} ${lastName}`.trim()
  return { id, usertype, approved, name, contact: mobile, email: null, image: null, walletBalance: 0 }
}

function groupOf(cars: number, returnAt: number | undefined, route: PlannedRoute | null): BookingGroup {
  const identities = (count: number) => Array.from({ length: count }, newBookingIds)
  return {
    others: identities(cars - 1),
    back: returnAt === undefined ? null : { cars: identities(cars), tripdate: returnAt, route },
  }
}

async function areDriversNear(
  deps: CreateDeps,
  { pickup, car_type_id, payment_mode, cars = 1 }: BookingRequest,
  settings: CurrentSettings,
): Promise<boolean> {
  const search = { pickup, car_type_id, payment_mode, count: cars }
  const { database, driverIndex, clock } = deps
  return (await findCandidates({ pool: database.pool, driverIndex, clock }, search, settings)).length >= cars
}

/** The planned route of a trip, as a booking stores it. */
export interface PlannedRoute {
  distanceKm: number
  durationS: number
  polyline: string
}

/**
 * The quickest route from pickup (past `via`) to drop, or null. Offers, estimates and bookings all use it. Throws
 * google_places_error if an outside map service does not answer and no map replaces it.
 */
export async function planRoute(
  maps: Maps,
  pickup: LatLng,
  drop: LatLng,
  via: readonly LatLng[] = [],
): Promise<PlannedRoute | null> {
  if (!maps.covers(pickup) || !maps.covers(drop)) return null
  const points = [pickup, ...via, drop].map(({ lat, lng }) => ({ lat, lng }))
  const route = await maps.route(points).catch(() => {
    throw new Refusal('google_places_error')
  })
  if (!route) return null
  const { distanceKm, durationS, polyline } = route
  return { distanceKm, durationS, polyline: encodePolyline(polyline) }
}

/** The IDs and trip code of a new booking. They cannot be derived from those of another booking. */
export function newBookingIds(): BookingIdentity {
  const randoms = Array.from({ length: 7 }, () => randomBytes(4).readUInt32BE() / 2 ** 32)
  return { id: uuidv7(), booking_id: bookingCode(randoms), otp: tripOtp(randoms[6] as number) }
}
