import type { BookingCommandBody } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import { riderNoShow } from '@hansom/domain/bookings/booking'
import { effectiveTime } from '@hansom/domain/bookings/effective-time'
import type { CommandInput, CommandInputs } from '@hansom/domain/bookings/facts'
import { type RoutedCommand, routedCommands } from '@hansom/domain/bookings/transitions'
import { type Promo, unknownPromo } from '@hansom/domain/fare/promo'
import type { LatLng } from '@hansom/domain/geo/point'
import type { DriverIndex } from '../../adapters/driver-index/port.ts'
import type { Maps } from '../../adapters/maps/port.ts'
import { type ChangeDeps, completeChange } from './change-booking.ts'
import { arrivalAtPickup } from './dispatch/find-candidates.ts'
import { type GivenCommand, runCommand } from './run-command.ts'
import type { CountedRider } from './store/apply-decision.ts'
import { countForPromo } from './store/load-create-facts.ts'
import type { BookingWithRequests, LoadedFacts, RequestRow } from './store/read-bookings.ts'
import { type Returned, readReturned } from './store/read-outstanding.ts'
import type { TripTracks } from './tracking/trip-tracks.ts'

export interface PeopleCommandDeps extends ChangeDeps {
  tracks: TripTracks
  promos: { findByCode(code: string): Promise<Promo | null> }
  /** The cancel reasons; an empty list allows any text. */
  cancelReasons: { all(): Promise<readonly { label: string }[]> }
}

/** The actor, the booking, and the client's idempotency key if it sent one. */
export interface CommandRequest {
  actor: Actor
  id: string
  key: string | null
}

/** How a command gets what the client does not send. */
type Completion = Pick<GivenCommand, 'input' | 'driver' | 'requests' | 'assumedCounts' | 'assumedReturned'>
type Complete<C extends RoutedCommand> = (request: CommandRequest, body: BookingCommandBody<C>) => Completion

/** Commands whose input is more than the client sends; the others are not listed. */
type Completions = { [C in RoutedCommand]?: Complete<C> } & {
  [C in RoutedCommand as BookingCommandBody<C> extends CommandInputs[C] ? never : C]: Complete<C>
}

/** The commands of users, by name. All throw Refusal and return the booking as it is afterwards. */
export type BookingCommands = {
  [C in RoutedCommand]: (
    request: CommandRequest,
    ...body: object extends BookingCommandBody<C> ? [BookingCommandBody<C>?] : [BookingCommandBody<C>]
  ) => Promise<BookingWithRequests>
}

export function bookingCommands(deps: PeopleCommandDeps): BookingCommands {
  const completions = completionsOf(deps) as Partial<
    Record<RoutedCommand, (request: CommandRequest, body: object) => Completion>
  >
  const give =
    (command: RoutedCommand) =>
    (request: CommandRequest, body: object = {}) =>
      runCommand(deps, {
        booking: request.id,
        by: { role: request.actor.role, id: request.actor.id },
        command,
        input: () => ({ ...body, command }) as CommandInput,
        ...completions[command]?.(request, body),
        idempotency: request.key === null ? null : { key: request.key, body },
      })
  return Object.fromEntries(routedCommands.map((command) => [command, give(command)])) as BookingCommands
}

const hourMs = 3_600_000
/** An older position does not locate a car, ms. */
const freshMs = 60_000

function completionsOf(deps: PeopleCommandDeps): Completions {
  const { maps, driverIndex, tracks, clock } = deps

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

  const takenAt = (
    { actor }: CommandRequest,
    { booking }: LoadedFacts,
    { at }: { at?: number | undefined },
  ) => effectiveTime(booking, at, clock.now(), deps.contacts.silenceOf(actor.id))

  return {
    accept: ({ actor }) => ({
      driver: actor.id,
      input: async (facts) => ({
        command: 'accept',
        driveSeconds: await secondsToPickup(maps, driverIndex, facts, actor.id, clock.now()),
      }),
    }),

    arrive: (request, body) => ({
      input: async (facts) => ({
        ...body,
        command: 'arrive',
        location: await freshLocationAt(facts, takenAt(request, facts, body)),
      }),
    }),

    start: (request, body) => ({
      driver: request.actor.id,
      input: async (facts) => ({
        ...body,
        command: 'start',
        location: await locationAt(facts, takenAt(request, facts, body)),
      }),
    }),

    deliver: (request, body) => ({
      input: async (facts) => ({
        ...body,
        command: 'deliver',
        location: await freshLocationAt(facts, takenAt(request, facts, body)),
      }),
    }),

    fail_drop: (request, body) => ({
      input: async (facts) => ({
        ...body,
        command: 'fail_drop',
        location: await freshLocationAt(facts, takenAt(request, facts, body)),
        seen: await tracks.since(facts.booking.id, takenAt(request, facts, body) - hourMs),
      }),
    }),

    reach: (request, body) => {
      const measure = tracks.measurer()
      return {
        driver: request.actor.id,
        input: async (facts) => {
          const time = takenAt(request, facts, body)
          const location = await locationAt(facts, time)
          const [track, place] = await Promise.all([
            measure(facts.booking.id, time, location),
            // The trip ends without an address if the map service does not answer.
            location && maps.address(location).catch(() => null),
          ])
          const address = place ? [place.label, place.detail].filter(Boolean).join(', ') : null
          return { ...body, command: 'reach', location, address, track }
        },
      }
    },

    change: (_request, body) => completeChange(deps, body),

    choose_payment: (_request, { payment_mode, promo: code }) => {
      let counted: CountedRider | null = null
      return {
        input: async ({ booking }) => {
          if (!code)
            return { command: 'choose_payment', payment_mode, promo: code === null ? null : undefined }
          const promo = await deps.promos.findByCode(code)
          if (!promo) throw unknownPromo()
          counted = await countForPromo(deps.database.pool, booking.customer, promo.id)
          const used_by_rider = counted.counts.promo_uses
          return { command: 'choose_payment', payment_mode, promo: { ...promo, used_by_rider } }
        },
        assumedCounts: () => counted,
      }
    },

    decide_objection: (_request, body) => {
      let known: Returned = { returned: 0, waived: 0 }
      return {
        input: async ({ booking }) => {
          known = await readReturned(deps.database.pool, booking.id)
          return { ...body, ...known, command: 'decide_objection' }
        },
        assumedReturned: () => known.returned,
      }
    },

    cancel: (_request, body) => ({
      input: async ({ booking }) => ({
        ...body,
        command: 'cancel',
        listed: (await deps.cancelReasons.all()).map(({ label }) => label),
        next: deps.newIds(),
        waited: body.reason.trim() === riderNoShow ? await tracks.whileWaiting(booking.id) : undefined,
      }),
    }),

    assign_driver: (_request, { driver: chosen, reason, version }) => {
      let asked: Omit<RequestRow, 'wave' | 'expires_at'>
      return {
        driver: chosen,
        input: async ({ booking, driver }) => {
          // A driver on a trip comes from its drop.
          const from = driver?.trip?.drop ?? (await driverIndex.get(chosen)) ?? driver?.location
          const arrival = await arrivalAtPickup(maps, from, booking.pickup)
          asked = { booking_id: booking.id, driver_id: chosen, requested_at: clock.now(), ...arrival }
          return { command: 'assign_driver', driver: chosen, reason, version }
        },
        requests: (_facts, { effects }) =>
          effects.flatMap((effect) =>
            effect.kind === 'ask_drivers'
              ? [{ ...asked, wave: effect.wave, expires_at: effect.expires_at }]
              : [],
          ),
      }
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
