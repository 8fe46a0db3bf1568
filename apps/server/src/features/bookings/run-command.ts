import { outstandingOf } from '@hansom/domain/bookings/amounts'
import type { Booking, CommandAuthor } from '@hansom/domain/bookings/booking'
import { decide, refusalBeforeRule } from '@hansom/domain/bookings/decide'
import type { Decision } from '@hansom/domain/bookings/decision'
import type { CommandInput, Facts, InputOf, RiderFacts } from '@hansom/domain/bookings/facts'
import type { BookingCommand } from '@hansom/domain/bookings/transitions'
import type { Delivery } from '@hansom/domain/deliveries/delivery'
import { Refusal } from '@hansom/domain/error-keys'
import { sumOf, userAccount } from '@hansom/domain/wallet/ledger'
import type { Clock } from '../../platform/clock/clock.ts'
import { metrics } from '../../platform/metrics/metrics.ts'
import { assertSameBody, bodyHash, idempotencyScope } from '../../platform/outbox/idempotency.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { type BookingChange, countDecision, eventsOf } from './booking-changed-event.ts'
import { type Application, LostRace } from './store/apply-decision.ts'
import type { BookingStore } from './store/booking-store.ts'
import {
  activeRequests,
  type BookingWithRequests,
  type KeptRefusal,
  type LoadedFacts,
  type RequestRow,
} from './store/read-bookings.ts'
import type { DriverContacts } from './tracking/active-trips.ts'

export interface CommandDeps {
  store: BookingStore
  clock: Clock
  outbox: Pick<Outbox, 'wake'>
  settings: { current(): Promise<CurrentSettings> }
  /** True if a provider accepts card payments in the currency. */
  cardAvailable(currency: string): boolean
  /** The pool of numbers of masked calls; null if calls are not masked. */
  callNumbers: readonly string[] | null
  /** When the server last heard from drivers. */
  contacts: Pick<DriverContacts, 'recordContact' | 'silenceOf'>
  /** Called with a booking right after its change was committed, before the caller gets the response. */
  applied(booking: Booking, delivery: Delivery | null): void
}

/** A command: the actor, the booking, and how to complete its input from the facts. */
export interface GivenCommand<C extends BookingCommand = BookingCommand> {
  booking: string
  by: CommandAuthor
  command: C
  /** The driver whose row the rule reads. */
  driver?: string | null
  /**
   * Builds the rule's input. Call maps and other services here: no transaction is open, and the actor is already
   * authorized.
   */
  input(facts: LoadedFacts): Promise<CommandInput> | CommandInput
  /** Rows for the drivers the command asks, if any. */
  requests?(facts: LoadedFacts, decision: Decision): RequestRow[]
  /** The counts the input was based on, which must be unchanged at commit; called after `input`. */
  assumedCounts?(): Application['assumedCounts']
  /** Refuse while an attempt to pay the booking is in progress. */
  unlessPaying?: boolean
  /** What was returned to the rider as far as the input knows, which must be unchanged at commit; called after `input`. */
  assumedReturned?(): number | null
  /** Only decide: the response shows the outcome, nothing is written. */
  isQuote?: boolean
  /** The client's idempotency key and the body it belongs to. */
  idempotency?: { key: string; body: unknown } | null
}

/** Retries after a lost race; each retry means another command committed. */
const attempts = 20

/**
 * Runs every command on a booking: reads the facts, decides, and applies the decision in one commit if the facts are
 * unchanged. Otherwise it retries, so that the loser learns why. Throws Refusal. Two round trips to the database.
 */
export async function runCommand(deps: CommandDeps, given: GivenCommand): Promise<BookingWithRequests> {
  const kept = given.idempotency && {
    scope: idempotencyScope({
      user: given.by.id ?? 'system',
      command: given.command,
      key: given.idempotency.key,
    }),
    body_hash: bodyHash({ booking: given.booking, body: given.idempotency.body }),
  }
  let usedKey: string | undefined
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(deps, given, kept ?? null)
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
      // A used ledger key stays used: if reloaded facts lead to it again, another retry cannot succeed.
      const isFinal = error.usedKey !== undefined && error.usedKey === usedKey
      if (isFinal || attempt === attempts) throw new Refusal('conflict')
      usedKey = error.usedKey ?? usedKey
    }
  }
}

async function runOnce(
  deps: CommandDeps,
  given: GivenCommand,
  idempotency: Application['idempotency'],
): Promise<BookingWithRequests> {
  const settings = await deps.settings.current()
  const loaded = await deps.store.facts(
    given.booking,
    given.driver ?? null,
    idempotency?.scope ?? null,
    deps.callNumbers !== null,
  )
  if (!loaded) throw new Refusal('not_found')
  if (loaded.kept && idempotency) {
    const { result } = loaded.kept
    assertSameBody(loaded.kept, idempotency.body_hash)
    // The first run may have lost its connection right after the commit, before it called `applied`.
    deps.applied(loaded.booking, loaded.delivery)
    deps.outbox.wake()
    if (result) throw refusalOf(result)
    return asItIsNow(loaded, deps.clock.now())
  }
  const wasAsked = await wasAskedOnce(deps, loaded, given)
  const silence =
    given.by.role === 'driver' && given.by.id !== null ? deps.contacts.recordContact(given.by.id) : null
  const factsAt = (now: number): Facts => ({
    booking: loaded.booking,
    delivery: loaded.delivery,
    replaced: loaded.replaced,
    by: given.by,
    settings,
    requested: activeRequests(loaded.requests, now).map((request) => request.driver_id),
    wasAsked,
    rider: loaded.rider,
    silence,
    driver: loaded.driver,
    lines: deps.callNumbers && { numbers: deps.callNumbers, taken: loaded.takenLines },
    cardAvailable: deps.cardAvailable(settings.code),
  })
  const refusal = refusalBeforeRule(factsAt(deps.clock.now()), given.command)
  if (refusal) throw refusal
  const input = await given.input(loaded)
  const now = deps.clock.now()
  const facts = factsAt(now)
  const decision = decide(facts, input, now)
  if (decision instanceof Refusal) throw decision
  const requests = given.requests?.(loaded, decision) ?? []
  const after = requestsAfter(loaded.requests, requests, decision)
  const version = loaded.booking.version + 1
  const answer: BookingWithRequests = {
    booking: { ...loaded.booking, ...decision.changes, version },
    delivery: deliveryAfter(loaded.delivery, decision),
    requests: after,
    outstanding: outstandingOf(riderAfter(loaded, decision), loaded.booking),
    riderRating: loaded.riderRating,
  }
  if (given.isQuote) return answer
  const outboxEvents = eventsOf(answer.booking, decision, {
    gone: goneRequests(loaded, after, given, now),
    left: leftBy(loaded.booking, answer.booking),
  })
  await deps.store.apply({
    booking: loaded.booking,
    isNew: false,
    changes: decision.changes,
    stops: decision.stops,
    also: decision.otherTrips,
    entries: decision.entries,
    effects: decision.effects,
    event: decision.event,
    requests,
    mustStayNonNegative: nonNegativeUsers(loaded.booking, decision),
    answeredBy: given.command === 'accept' || given.command === 'decline' ? given.by.id : null,
    idempotency:
      idempotency && decision.refused ? { ...idempotency, result: kept(decision.refused) } : idempotency,
    outboxEvents,
    assumedCounts: given.assumedCounts?.() ?? null,
    unlessPaying: given.unlessPaying ?? false,
    assumedReturned: given.assumedReturned?.() ?? null,
  })
  countDecision(requests.length, outboxEvents)
  const offer =
    given.command === 'accept' && loaded.requests.find(({ driver_id }) => driver_id === given.by.id)
  if (offer) metrics.timeToAccept.observe(Math.max(0, now - offer.requested_at) / 1000)
  deps.applied(answer.booking, answer.delivery)
  deps.outbox.wake()
  if (decision.refused) throw decision.refused
  return answer
}

/** True if the answer comes from a driver who may know of the booking. Queries only for apparent strangers. */
async function wasAskedOnce(
  { store }: CommandDeps,
  { booking, requests }: LoadedFacts,
  { by, command }: GivenCommand,
): Promise<boolean> {
  const driver = by.role === 'driver' && (command === 'accept' || command === 'decline') ? by.id : null
  if (driver === null) return false
  if (requests.some((request) => request.driver_id === driver)) return true
  if (booking.excluded_drivers.includes(driver)) return true
  return store.wasOffered(booking.id, driver)
}

const kept = ({ key, data }: Refusal): KeptRefusal => ({ key, data: data ?? null })
const refusalOf = ({ key, data }: KeptRefusal) => new Refusal(key, data ? { data } : {})

/**
 * The response to a repeated command: the booking in its current state. A stored copy of the first response would
 * expose data that the actor may no longer see.
 */
function asItIsNow(
  { booking, delivery, requests, rider, riderRating }: LoadedFacts,
  now: number,
): BookingWithRequests {
  return {
    booking,
    delivery,
    requests: activeRequests(requests, now),
    outstanding: outstandingOf(rider, booking),
    riderRating,
  }
}

function deliveryAfter(delivery: Delivery | null, { stops }: Decision): Delivery | null {
  if (!delivery || stops.length === 0) return delivery
  const after = new Map([...delivery.stops, ...stops].map((stop) => [stop.n, stop]))
  return { ...delivery, stops: [...after.values()] }
}

/** The rider's debts after the decision. */
function riderAfter(
  { booking, rider }: LoadedFacts,
  { entries, otherTrips: also, changes }: Decision,
): RiderFacts {
  const changed = new Map([
    [booking.id, changes],
    ...also.map((one) => [one.booking.id, one.changes] as const),
  ])
  const trips = [...rider.trips.filter(({ id }) => id !== booking.id), booking]
  return {
    walletBalance: rider.walletBalance + sumOf(entries, userAccount(booking.customer)),
    trips: trips.map((trip) => ({ ...trip, ...changed.get(trip.id) })),
  }
}

function requestsAfter(
  before: readonly RequestRow[],
  added: readonly RequestRow[],
  { effects, event }: Decision,
): RequestRow[] {
  if (effects.some((effect) => effect.kind === 'remove_requests')) return []
  const replaced = new Set([
    ...effects.flatMap((effect) => (effect.kind === 'remove_request' ? [effect.driver] : [])),
    ...added.map((request) => request.driver_id),
  ])
  return [...activeRequests(before, event.at).filter(({ driver_id }) => !replaced.has(driver_id)), ...added]
}

/**
 * Wallet payments may not make the balance negative; prepaid settlements, fees and cash may. The rule checked the
 * balance, but it may have changed since.
 */
function nonNegativeUsers(booking: Booking, { entries }: Decision): string[] {
  const pays = entries.some((entry) => entry.kind === 'wallet_payment')
  return pays && !booking.prepaid ? [booking.customer] : []
}

/**
 * The drivers whose request has ended. Drivers whose request expired in an earlier wave were notified by the next wave.
 */
function goneRequests(
  { booking, requests }: LoadedFacts,
  after: readonly RequestRow[],
  { by, command }: GivenCommand,
  now: number,
): BookingChange['gone'] {
  const still = new Set(after.map((request) => request.driver_id))
  const wereActive = new Set(activeRequests(requests, now))
  return requests
    .filter((request) => wereActive.has(request) || request.wave === booking.wave)
    .filter((request) => !still.has(request.driver_id))
    .map((request) => ({
      driver: request.driver_id,
      why: request.driver_id === by.id ? 'answered' : wereActive.has(request) ? endedBy(command) : 'expired',
    }))
}

/** Why an active request ended with the command. */
function endedBy(command: BookingCommand): BookingChange['gone'][number]['why'] {
  if (command === 'accept' || command === 'assign_driver') return 'taken'
  return command === 'withdraw_driver' || command === 'change' ? 'withdrawn' : 'cancelled'
}

/** The driver and fleet admin who no longer see the booking. */
function leftBy(before: Booking, after: Booking): string[] {
  const stay = [after.driver, after.fleetadmin]
  return [before.driver, before.fleetadmin].filter(
    (user) => user !== null && !stay.includes(user),
  ) as string[]
}

type Captured = Omit<InputOf<'settle_capture'>, 'command'>

/**
 * The commands that payments give. All throw Refusal and can be repeated: a command that has already run is refused.
 */
export type BookingSystemCommands = ReturnType<typeof bookingSystemCommands>

export function bookingSystemCommands(deps: CommandDeps) {
  const run = (booking: string, given: Pick<GivenCommand, 'command' | 'input' | 'unlessPaying'>) =>
    runCommand(deps, { booking, by: { role: 'system', id: null }, ...given })
  return {
    /** A prepayment was captured. */
    capturePayment: (booking: string, captured: Captured) =>
      run(booking, {
        command: 'capture_payment',
        input: () => ({ command: 'capture_payment', ...captured }),
      }),
    /** The amount due for a closed trip was captured. */
    settleCapture: (booking: string, captured: Captured) =>
      run(booking, { command: 'settle_capture', input: () => ({ command: 'settle_capture', ...captured }) }),
    /**
     * Releases the wallet hold of a card payment unless a payment is in progress: `isPaying` is checked first, and the
     * commit requires that no attempt was started since. Throws conflict otherwise.
     */
    releaseHold: (booking: string, isPaying: () => Promise<boolean>) =>
      run(booking, {
        command: 'release_hold',
        unlessPaying: true,
        input: async () => {
          if (await isPaying()) throw new Refusal('conflict')
          return { command: 'release_hold' }
        },
      }),
  }
}
