import { deliver } from '../deliveries/courier-steps.ts'
import { failDrop } from '../deliveries/failed-drop.ts'
import { type ErrorKey, Refusal } from '../error-keys.ts'
import { assignDriver, withdrawDriver } from './assign.ts'
import { cancel, isIncomplete } from './cancel.ts'
import { change, eventChanges } from './change.ts'
import { capturePayment, choosePayment, expirePayment, releaseHold } from './checkout.ts'
import { close } from './close.ts'
import { type Decision, type EventChange, type Outcome, recordedSteps } from './decision.ts'
import { decline, findNoDriver, requestDrivers } from './dispatch-commands.ts'
import { accept, arrive, start } from './driver-steps.ts'
import type { CommandInput, Facts, InputOf } from './facts.ts'
import { decideObjection, object } from './objection.ts'
import { rate, rateRider, skipRating } from './rate.ts'
import { reach } from './reach.ts'
import { confirmCash, payByWallet, settleCapture, writeOffTrip } from './settle.ts'
import { type BookingCommand, mayCommand, type Transition, transitions } from './transitions.ts'

type Rule<C extends BookingCommand> = (facts: Facts, input: InputOf<C>, now: number) => Outcome | Refusal

/** The rule of each command. Role, person and status are checked before it runs. */
const rules: { [C in BookingCommand]: Rule<C> } = {
  capture_payment: capturePayment,
  expire_payment: expirePayment,
  request_drivers: requestDrivers,
  assign_driver: assignDriver,
  withdraw_driver: withdrawDriver,
  decline,
  find_no_driver: findNoDriver,
  accept,
  arrive,
  start,
  deliver,
  fail_drop: failDrop,
  reach,
  close,
  change,
  choose_payment: choosePayment,
  release_hold: releaseHold,
  pay_by_wallet: payByWallet,
  settle_capture: settleCapture,
  confirm_cash: confirmCash,
  write_off: writeOffTrip,
  object,
  decide_objection: decideObjection,
  rate,
  skip_rating: skipRating,
  rate_rider: rateRider,
  cancel,
}

/**
 * Decides a command on a booking at `now`: changes, money movements and effects; or a refusal. Pure: the facts are not
 * modified. Refuses with `not_found` a person the booking does not belong to and a driver who was never asked; with
 * `trip_withdrawn` a step of a driver who no longer has the trip; with `wrong_status` a command in the wrong status, or with `already_taken` when another driver was faster, or
 * `cancelled_incomplete_booking` when the booking was never paid for. Throws only if the state machine itself is
 * broken.
 */
export function decide(facts: Facts, input: CommandInput, now: number): Decision | Refusal {
  const wrong = refusalBeforeRule(facts, input.command)
  if (wrong) return wrong
  const outcome = ruleOf(input.command)(facts, input, now)
  return outcome instanceof Refusal ? outcome : decisionOf(facts, input.command, outcome, now)
}

function ruleOf(command: BookingCommand) {
  return rules[command] as (facts: Facts, input: CommandInput, now: number) => Outcome | Refusal
}

/** Refusals that do not depend on the input: checked by `decide`, and before anything is loaded for the command. */
export function refusalBeforeRule(
  facts: Pick<Facts, 'booking' | 'by' | 'requested' | 'wasAsked'>,
  command: BookingCommand,
): Refusal | null {
  const wrong = refusalOf(facts, command)
  return wrong && new Refusal(wrong)
}

function refusalOf(
  { booking, by, requested, wasAsked }: Pick<Facts, 'booking' | 'by' | 'requested' | 'wasAsked'>,
  command: BookingCommand,
): ErrorKey | null {
  const transition: Transition = transitions[command]
  if (!transition.by[by.role]) return 'not_found'
  const isAnswer = command === 'accept' || command === 'decline'
  const isRequested = by.id !== null && requested.includes(by.id)
  const isOwn = by.id !== null && booking.driver === by.id
  const isTheirs =
    isOwn || (booking.driver === null && isRequested) || (isAnswer && (isRequested || wasAsked))
  if (by.role === 'rider' && booking.customer !== by.id) return 'not_found'
  if (by.role === 'driver' && !isTheirs) {
    const wasTheirs = !isAnswer && by.id !== null && booking.excluded_drivers.includes(by.id)
    return wasTheirs ? 'trip_withdrawn' : 'not_found'
  }
  if (mayCommand(by.role, command, booking.status)) return null
  const isTaken = booking.driver !== null && booking.driver !== by.id && booking.status !== 'CANCELLED'
  if (command === 'accept' && isTaken) return 'already_taken'
  return isIncomplete(booking) ? 'cancelled_incomplete_booking' : 'wrong_status'
}

/** Commands whose event lists the changed values. */
const edits: readonly BookingCommand[] = ['change', 'choose_payment']
/** Commands whose event names the stop and what happened there. */
const stopSteps: readonly BookingCommand[] = ['deliver', 'fail_drop']

/** The step of a courier: the outcome of the stop, or a wrong code. A new return stop has no outcome yet. */
function stepChanges({ stops = [], refused }: Outcome): EventChange[] {
  return stops.flatMap(({ n, outcome }) => {
    const field = refused ? 'wrong_code' : recordedSteps.find((step) => step === outcome)
    return field ? [{ field, from: null, to: n }] : []
  })
}

function decisionOf(
  { booking, by }: Facts,
  command: BookingCommand,
  outcome: Outcome,
  now: number,
): Decision {
  const to = outcome.to ?? booking.status
  const targets: Transition['to'] = transitions[command].to
  const isLegal = outcome.refused || targets === 'stay' ? to === booking.status : targets.includes(to)
  if (!isLegal) throw new Error(`${command} may not lead from ${booking.status} to ${to}`)
  return {
    changes: {
      ...outcome.changes,
      ...(to !== booking.status && { status: to }),
      ...(to === 'CANCELLED' && { closed_at: now }),
    },
    stops: outcome.stops ?? [],
    entries: outcome.entries ?? [],
    effects: outcome.effects ?? [],
    event: {
      at: now,
      by,
      command,
      from: booking.status,
      to,
      reason: outcome.reason ?? null,
      ...(edits.includes(command) && { changes: eventChanges(booking, outcome.changes ?? {}) }),
      ...(stopSteps.includes(command) && { changes: stepChanges(outcome) }),
    },
    otherTrips: (outcome.otherTrips ?? []).map((one) => ({
      ...one,
      event: { at: now, by, command, from: one.booking.status, to: 'PAID', reason: null },
    })),
    refused: outcome.refused ?? null,
  }
}
