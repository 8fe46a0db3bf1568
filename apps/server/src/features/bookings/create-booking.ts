import { randomBytes } from 'node:crypto'
import type { BookingRequest } from '@hansom/contract/bookings'
import { requestedDelivery } from '@hansom/contract/deliveries'
import type { Actor } from '@hansom/domain/access/relation'
import { type BookingGroup, createBookings } from '@hansom/domain/bookings/create'
import type { BookingIdentity } from '@hansom/domain/bookings/facts'
import { bookingCode, type CreateFacts, stopCode, tripOtp } from '@hansom/domain/bookings/new-booking'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { dropsRefusal, missingDetails } from '@hansom/domain/deliveries/delivery-request'
import { laterTimeRefusal } from '@hansom/domain/dispatch/timing'
import { Refusal } from '@hansom/domain/error-keys'
import { unknownPromo } from '@hansom/domain/fare/promo'
import { fullName } from '@hansom/domain/users/full-name'
import { uuidv7 } from 'uuidv7'
import type { DriverIndex } from '../../adapters/driver-index/port.ts'
import type { Maps } from '../../adapters/maps/port.ts'
import type { Database } from '../../platform/database/database.ts'
import { assertSameBody, bodyHash, idempotencyScope } from '../../platform/outbox/idempotency.ts'
import type { CurrentSettings } from '../settings/service.ts'
import type { NewGuest } from '../users/guests.ts'
import type { UsersService } from '../users/service.ts'
import { countDecision, eventsOf } from './booking-changed-event.ts'
import { findCandidates } from './dispatch/find-candidates.ts'
import { leavesAt, planDelivery } from './plan-delivery.ts'
import { type PlannedRoute, planRoute } from './plan-route.ts'
import type { CommandDeps } from './run-command.ts'
import { type Application, applyDecision, LostRace } from './store/apply-decision.ts'
import type { BookingWithRequests } from './store/read-bookings.ts'

export interface CreateDeps extends CommandDeps {
  maps: Maps
  driverIndex: DriverIndex
  database: Pick<Database, 'pool' | 'withTransaction'>
  users: Pick<UsersService, 'findCaller' | 'addGuest'>
  /** The IDs of a new booking; they cannot be derived from those of another. */
  newIds(): BookingIdentity
}

const attempts = 20

/** Creates a booking, once per idempotency key. Throws Refusal. */
export async function createBooking(
  deps: CreateDeps,
  actor: Actor,
  request: BookingRequest,
  key: string | null,
): Promise<BookingWithRequests> {
  const settings = await deps.settings.current()
  refuseForeignFields(actor, request, settings)
  const routes = await planTrip(deps, request, settings)
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(deps, actor, request, key, routes)
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
      if (attempt === attempts) throw new Refusal('conflict')
    }
  }
}

interface PlannedTrip {
  there: PlannedRoute | null
  back: PlannedRoute | null
  /** Null in the taxi category. */
  delivery: CreateFacts['delivery']
}

/** The routes of the trip, and of the trip back; for a delivery, the plan of its stops. */
async function planTrip(
  { maps, clock }: CreateDeps,
  { pickup, drop, returnAt, tripdate, instructionData }: BookingRequest,
  { category, deliveryStopMinutes }: CurrentSettings,
): Promise<PlannedTrip> {
  if (category === 'taxi') {
    const [there, back] = await Promise.all([
      planRoute(maps, pickup, drop),
      returnAt === undefined ? null : planRoute(maps, drop, pickup),
    ])
    return { there, back, delivery: null }
  }
  const request = instructionData ? requestedDelivery(drop, instructionData) : null
  const codes = (request?.drops ?? []).map(() => stopCode(randomFraction()))
  const now = clock.now()
  const leaveAt = leavesAt(tripdate ?? null, now)
  const isRefused =
    !request ||
    missingDetails(request) !== null ||
    dropsRefusal(request.drops, pickup, leaveAt, now) !== null ||
    (tripdate !== undefined && laterTimeRefusal(tripdate, now) !== null)
  // The booking is refused by its rules; planning is for drops that can be planned.
  if (isRefused) return { there: null, back: null, delivery: { request, plan: null, codes, leaveAt } }
  const planned = await planDelivery(maps, {
    ...request,
    pickup,
    leaveAt,
    serviceS: deliveryStopMinutes * 60,
  })
  const delivery = { request, codes, leaveAt }
  if ('unreachable' in planned) {
    return {
      there: null,
      back: null,
      delivery: { ...delivery, plan: null, unreachable: planned.unreachable },
    }
  }
  return { there: planned.route, back: null, delivery: { ...delivery, plan: planned.plan } }
}

async function createOnce(
  deps: CreateDeps,
  actor: Actor,
  request: BookingRequest,
  key: string | null,
  routes: PlannedTrip,
): Promise<BookingWithRequests> {
  const settings = await deps.settings.current()
  const scope = key && idempotencyScope({ user: actor.id, command: 'create', key })
  const hash = bodyHash(request)
  const found = await customerOf(deps, actor, request)
  const guest = typeof found === 'object' ? found : null
  const customer = guest?.id ?? (found as string | null)
  const due = deps.clock.now() + settings.dispatch.leadMinutes * 60_000
  const loaded = await deps.store.createFacts({
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
  const driverNear =
    request.bookLater ||
    (await areDriversNear(deps, request, paymentModeOf(actor, request, settings), settings))
  const now = deps.clock.now()
  const { cars = 1, returnAt } = request
  const group = groupOf(deps, cars, returnAt, routes.back)
  const created = createBookings(
    {
      by: { role: actor.role, id: actor.id },
      identity: deps.newIds(),
      settings,
      customer: guest ? guestFacts(guest) : loaded.customer,
      carType: loaded.carType,
      pickup: request.pickup,
      drop: lastDrop(request, routes.delivery),
      route: routes.there,
      open: loaded.counts,
      driverNear,
      bookLater: request.bookLater,
      tripdate: request.tripdate ?? null,
      passengers: request.passengers ?? null,
      group: cars > 1 || returnAt !== undefined ? uuidv7() : null,
      payment_mode: paymentModeOf(actor, request, settings),
      inAdvance: request.inAdvance ?? false,
      cardAvailable: deps.cardAvailable(settings.code),
      promo: loaded.promo,
      delivery: routes.delivery,
      agreed: request.estimate ?? null,
      texts: request,
    },
    group,
    now,
  )
  if (created instanceof Refusal) throw created
  const [first, ...together] = created
  if (first === undefined) throw new TypeError('a request makes at least one booking')
  const { booking, delivery, entries, effects, event } = first
  const answer: BookingWithRequests = {
    booking,
    delivery,
    requests: [],
    outstanding: loaded.outstanding,
    riderRating: loaded.riderRating,
  }
  const application: Application = {
    booking,
    isNew: true,
    together,
    delivery,
    changes: {},
    also: [],
    entries,
    effects,
    event,
    requests: [],
    mustStayNonNegative: [booking.customer],
    answeredBy: null,
    idempotency: scope ? { scope, body_hash: hash } : null,
    outboxEvents: created.flatMap((one) => eventsOf(one.booking, { ...one, stops: [], otherTrips: [] })),
    // Checked at commit, since concurrent bookings do not see each other.
    unlessPaying: false,
    assumedReturned: null,
    assumedCounts:
      actor.role === 'admin'
        ? null
        : { customer: actor.id, due, promo: booking.promo_id, counts: loaded.counts },
  }
  if (guest === null) await deps.store.apply(application)
  else
    await deps.database.withTransaction(async (tx) => {
      // Another admin has added the number, or an account has proven it: book for that rider.
      if (!(await deps.users.addGuest(tx, actor, guest))) throw new LostRace('users_guest_mobile')
      await applyDecision(tx.client, application)
    })
  countDecision(0, application.outboxEvents)
  deps.outbox.wake()
  return answer
}

/** Deliveries are paid in advance; the office's are not. */
const paymentModeOf = (
  { role }: Actor,
  { payment_mode }: BookingRequest,
  { category }: Pick<CurrentSettings, 'category'>,
): PaymentMode => payment_mode ?? (category === 'delivery' && role !== 'admin' ? 'card' : 'cash')

/** The response to a repeated request: the existing booking in its current state. */
async function readMade({ store, clock }: CreateDeps, id: string): Promise<BookingWithRequests> {
  const record = await store.read(id, clock.now())
  if (!record) throw new Refusal('not_found')
  return record
}

/** Throws invalid_input for fields that only admins may send, or that exclude each other. */
function refuseForeignFields(
  actor: Actor,
  request: BookingRequest,
  { category }: Pick<CurrentSettings, 'category'>,
): void {
  const { customer, guest, cars = 1, returnAt, promo, inAdvance, passengers, instructionData } = request
  const refused = (field: string) =>
    new Refusal('invalid_input', { fields: [{ field, error: 'unknown_field' }] })
  const isGroup = cars > 1 || returnAt !== undefined
  if (category === 'taxi' && instructionData !== undefined) throw refused('instructionData')
  if (category === 'delivery') {
    if (isGroup) throw refused(cars > 1 ? 'cars' : 'returnAt')
    if (passengers !== undefined) throw refused('passengers')
  }
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
  const name = fullName({ firstName, lastName })
  return { id, usertype, approved, name, contact: mobile, email: null, image: null, walletBalance: 0 }
}

function groupOf(
  { newIds }: CreateDeps,
  cars: number,
  returnAt: number | undefined,
  route: PlannedRoute | null,
): BookingGroup {
  const identities = (count: number) => Array.from({ length: count }, newIds)
  return {
    others: identities(cars - 1),
    back: returnAt === undefined ? null : { cars: identities(cars), tripdate: returnAt, route },
  }
}

async function areDriversNear(
  deps: CreateDeps,
  { pickup, car_type_id, cars = 1 }: BookingRequest,
  payment_mode: PaymentMode,
  settings: CurrentSettings,
): Promise<boolean> {
  const search = { pickup, car_type_id, payment_mode, count: cars }
  return (await findCandidates(deps, search, settings)).length >= cars
}

/** The drop that is visited last. */
function lastDrop({ drop }: BookingRequest, delivery: CreateFacts['delivery']): BookingRequest['drop'] {
  const { request, plan } = delivery ?? {}
  const last = plan?.order.at(-1)
  return (last === undefined ? undefined : request?.drops[last]?.place) ?? drop
}

/** From 0 up to (not including) 1. */
const randomFraction = () => randomBytes(4).readUInt32BE() / 2 ** 32

/** See `CreateDeps.newIds`. */
export function newBookingIds(): BookingIdentity {
  const randoms = Array.from({ length: 7 }, randomFraction)
  return { id: uuidv7(), booking_id: bookingCode(randoms), otp: tripOtp(randoms[6] as number) }
}
