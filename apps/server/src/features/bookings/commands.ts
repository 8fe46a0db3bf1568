import type { Person } from '@hansom/domain/access/relation'
import { riderNoShow } from '@hansom/domain/bookings/booking'
import type { PaymentMode } from '@hansom/domain/bookings/choices'
import type { InputOf } from '@hansom/domain/bookings/facts'
import { effectiveTime } from '@hansom/domain/bookings/effective-time'
import type { LatLng } from '@hansom/domain/geo/point'
import { type Promo, unknownPromo } from '@hansom/domain/fare/promo'
import type { DriverIndex } from '../../adapters/driver-index/port.ts'
import type { Maps } from '../../adapters/maps/port.ts'
import { newBookingIds } from './new-booking-ids.ts'
import { type CommandDeps, type GivenCommand, runCommand } from './run-command.ts'
import { countForPromo } from './store/load-create-facts.ts'
import type { CountedRider } from './store/application.ts'
import type { LoadedFacts } from './store/load-facts.ts'
import type { RequestRow } from './store/rows.ts'
import { arrivalAtPickup } from './dispatch/arrival-at-pickup.ts'
import type { TripTracks } from './tracking/trip-tracks.ts'
import type { BookingWithRequests } from './view.ts'

export interface PeopleCommandDeps extends CommandDeps {
  maps: Maps
  driverIndex: DriverIndex
  tracks: TripTracks
  promos: { findByCode(code: string): Promise<Promo | null> }
  /** The cancel reasons; an empty list allows any text. */
  cancelReasons: { all(): Promise<readonly { label: string }[]> }
}

/** The actor, the booking, and the client's idempotency key if it sent one. */
export interface CommandRequest {
  person: Person
  id: string
  key: string | null
}

/** When the step was taken, if it is reported late. */
interface ReportedLate {
  at?: number | undefined
}

/** An older position does not locate a car, ms. */
const freshMs = 60_000

/** The commands people can give on a booking. All throw Refusal and return the booking as it is afterwards. */
export type BookingCommands = ReturnType<typeof bookingCommands>

export function bookingCommands(deps: PeopleCommandDeps) {
  const { maps, driverIndex, tracks } = deps

  const run = (
    order: CommandRequest,
    given: Pick<GivenCommand, 'command' | 'input' | 'driver' | 'requests' | 'assumedCounts'>,
    body = {},
  ) =>
    runCommand(deps, {
      ...given,
      booking: order.id,
      by: { actor: order.person.usertype, id: order.person.id },
      idempotency: order.key === null ? null : { key: order.key, body },
    })

  /** Commands whose rule needs only the facts. */
  const plain =
    (command: 'decline' | 'confirm_cash' | 'pay_by_wallet' | 'skip_rating') =>
    (order: CommandRequest): Promise<BookingWithRequests> =>
      run(order, { command, input: () => ({ command }) })

  /** The car's position closest to `time`. */
  const positionNear = async ({ booking }: LoadedFacts, time: number) => {
    const live = booking.driver === null ? null : await driverIndex.get(booking.driver)
    const stored = live && live.at > time ? await tracks.lastUntil(booking.id, time) : null
    return live && stored && time - stored.at < live.at - time ? stored : live
  }

  /** Where the car was at `time`: its current location unless a stored position is closer. */
  const locationAt = async (facts: LoadedFacts, time: number): Promise<LatLng | null> => {
    const seen = await positionNear(facts, time)
    return seen ? { lat: seen.lat, lng: seen.lng } : (facts.driver?.location ?? null)
  }

  /** Like `locationAt`, but null without a position close to `time`: the car could be anywhere. */
  const freshLocationAt = async (facts: LoadedFacts, time: number): Promise<LatLng | null> => {
    const seen = await positionNear(facts, time)
    return seen && Math.abs(seen.at - time) < freshMs ? { lat: seen.lat, lng: seen.lng } : null
  }

  const takenAt = (order: CommandRequest, { booking }: LoadedFacts, { at }: ReportedLate) =>
    effectiveTime(booking, at, deps.clock.now(), deps.contacts.silenceOf(order.person.id))

  return {
    decline: plain('decline'),
    confirmCash: plain('confirm_cash'),
    payByWallet: plain('pay_by_wallet'),
    skipRating: plain('skip_rating'),

    accept: (order: CommandRequest) =>
      run(order, {
        command: 'accept',
        driver: order.person.id,
        input: async (facts) => {
          const driveSeconds = await secondsToPickup(
            maps,
            driverIndex,
            facts,
            order.person.id,
            deps.clock.now(),
          )
          return { command: 'accept', driveSeconds }
        },
      }),

    arrive: (order: CommandRequest, body: ReportedLate = {}) =>
      run(
        order,
        {
          command: 'arrive',
          input: async (facts) => {
            const location = await freshLocationAt(facts, takenAt(order, facts, body))
            return { command: 'arrive', at: body.at, location }
          },
        },
        body,
      ),

    start: (order: CommandRequest, body: ReportedLate & { otp?: string | undefined }) =>
      run(
        order,
        {
          command: 'start',
          driver: order.person.id,
          input: async (facts) => {
            const location = await locationAt(facts, takenAt(order, facts, body))
            return { command: 'start', otp: body.otp, location, at: body.at }
          },
        },
        body,
      ),

    reach: (order: CommandRequest, body: ReportedLate & { reason?: string | undefined }) =>
      run(
        order,
        {
          command: 'reach',
          driver: order.person.id,
          input: async (facts) => {
            const time = takenAt(order, facts, body)
            const location = await locationAt(facts, time)
            const [track, place] = await Promise.all([
              tracks.measure(facts.booking.id, time, location),
              location && maps.address(location),
            ])
            const address = place ? [place.label, place.detail].filter(Boolean).join(', ') : null
            return { command: 'reach', location, address, track, reason: body.reason, at: body.at }
          },
        },
        body,
      ),

    close: (order: CommandRequest, body: Omit<InputOf<'close'>, 'command'>) =>
      run(order, { command: 'close', input: () => ({ command: 'close', ...body }) }, body),

    object: (order: CommandRequest, body: { reason?: string | undefined }) =>
      run(order, { command: 'object', input: () => ({ command: 'object', ...body }) }, body),

    decideObjection: (order: CommandRequest, body: Omit<InputOf<'decide_objection'>, 'command'>) =>
      run(
        order,
        { command: 'decide_objection', input: () => ({ command: 'decide_objection', ...body }) },
        body,
      ),

    choosePayment: (
      order: CommandRequest,
      body: { payment_mode: PaymentMode; promo?: string | null | undefined },
    ) => {
      let counted: CountedRider | null = null
      return run(
        order,
        {
          command: 'choose_payment',
          input: async ({ booking }) => {
            const { payment_mode } = body
            if (!body.promo)
              return {
                command: 'choose_payment',
                payment_mode,
                promo: body.promo === null ? null : undefined,
              }
            const promo = await deps.promos.findByCode(body.promo)
            if (!promo) throw unknownPromo()
            counted = await countForPromo(deps.database.pool, booking.customer, promo.id)
            const used_by_rider = counted.counts.promo_uses
            return { command: 'choose_payment', payment_mode, promo: { ...promo, used_by_rider } }
          },
          assumedCounts: () => counted,
        },
        body,
      )
    },

    cancel: (order: CommandRequest, body: { reason: string; fee?: number | undefined }) =>
      run(
        order,
        {
          command: 'cancel',
          input: async ({ booking }) => ({
            command: 'cancel',
            ...body,
            listed: (await deps.cancelReasons.all()).map(({ label }) => label),
            next: newBookingIds(),
            waited: body.reason.trim() === riderNoShow ? await tracks.whileWaiting(booking.id) : undefined,
          }),
        },
        body,
      ),

    rate: (order: CommandRequest, body: { rating: number; feedback?: string | undefined }) =>
      run(
        order,
        { command: 'rate', input: () => ({ command: 'rate', rating: body.rating, feedback: body.feedback }) },
        body,
      ),

    rateRider: (order: CommandRequest, body: { rating: number }) =>
      run(
        order,
        { command: 'rate_rider', input: () => ({ command: 'rate_rider', rating: body.rating }) },
        body,
      ),

    writeOff: (order: CommandRequest, body: { reason: string }) =>
      run(
        order,
        { command: 'write_off', input: () => ({ command: 'write_off', reason: body.reason }) },
        body,
      ),

    assignDriver: (order: CommandRequest, body: { driver: string }) => {
      let asked: RequestRow[] = []
      return run(
        order,
        {
          command: 'assign_driver',
          driver: body.driver,
          input: async ({ booking, driver }) => {
            const way = await arrivalAtPickup(
              maps,
              (await driverIndex.get(body.driver)) ?? driver?.location,
              booking.pickup,
            )
            const now = deps.clock.now()
            asked = [
              {
                booking_id: booking.id,
                driver_id: body.driver,
                wave: booking.wave,
                requested_at: now,
                expires_at: null,
                ...way,
              },
            ]
            return { command: 'assign_driver', driver: body.driver }
          },
          requests: (_facts, { effects }) =>
            effects.some((effect) => effect.kind === 'ask_drivers') ? asked : [],
        },
        body,
      )
    },
  }
}

/** Uses the estimate from the request while that is fresh; an assignment may be hours old. */
async function secondsToPickup(
  maps: Maps,
  driverIndex: DriverIndex,
  { requests, booking, driver }: LoadedFacts,
  driverId: string,
  now: number,
): Promise<number> {
  const request = requests.find((one) => one.driver_id === driverId)
  if (request && now - request.requested_at < 60_000) return request.pickupS
  const at = (await driverIndex.get(driverId)) ?? driver?.location
  return (await arrivalAtPickup(maps, at, booking.pickup)).pickupS
}
