import type { BookingEvent } from '../bookings/decision.ts'
import { type BookingStatus, drivingStatuses, isOneOf } from '../bookings/status.ts'
import type { AccountNotice } from '../users/profile.ts'
import { type AnyNotice, kindOfNotice, noticeOf, titleOf } from './kinds.ts'

/**
 * What ends a notification besides reading it in the list: then it is read, and disappears from all devices. The alerts of
 * admins end when their matter is settled (`alerts`).
 */
interface Ending {
  /** Its page is in front of the user, and shows all it says. */
  seen?: true
  /** Its booking leaves these statuses. */
  leaves?: readonly BookingStatus[]
  /** One of these commands answers it. */
  answered?: readonly BookingEvent['command'][]
  /** The driver is not asked any more, or has taken another trip. */
  asked?: true
  /** The user owes nothing any more. */
  owed?: true
  /** The user gets this one, which replaces it. */
  replaced?: AccountNotice
  /** Ended by its own feature: a conversation that was read, a question about safety that was answered. */
  elsewhere?: true
}

const seen: Ending = { seen: true }
const asked: Ending = { asked: true }
const shown = (...leaves: BookingStatus[]): Ending => ({ seen: true, leaves })

export const endings: Readonly<Record<AnyNotice, Ending>> = {
  new_booking: asked,
  next_trip: asked,
  accepted: shown('ACCEPTED'),
  driver_near: shown('ARRIVED'),
  arrived_far: shown('ARRIVED'),
  ended_far: seen,
  trip_started: shown('STARTED'),
  parcel_delivered: seen,
  parcel_returned: seen,
  drop_failed: seen,
  drop_failed_too: seen,
  delivery_ended: seen,
  stop_far: seen,
  stop_unseen: seen,
  stop_unsigned: seen,
  otp_wrong: { leaves: drivingStatuses },
  rated: seen,
  booking_cancelled: seen,
  looking_again: seen,
  driver_withdrawn: shown('NEW'),
  trip_withdrawn: {},
  booking_changed: seen,
  trip_changed: { leaves: drivingStatuses },
  search_again: {},
  payment_expired: {},
  payment_due: { leaves: ['PENDING'] },
  rider_paid: seen,
  driver_credited: seen,
  not_paid: { leaves: ['PENDING'], answered: ['object'] },
  outstanding_not_paid: { answered: ['object'], owed: true },
  objected: { answered: ['decide_objection'] },
  objection_decided: seen,
  return_objected: { answered: ['decide_objection'] },
  return_decided: seen,
  payment_to_wallet: seen,
  topped_up: seen,
  wallet_credited: seen,
  wallet_debited: seen,
  adjustment_reversed: seen,
  payout_requested: seen,
  withdraw_processed: seen,
  withdraw_refused: seen,
  upgrade_refused: {},
  refund_to_wallet: seen,
  refund_to_card: seen,
  refund_borne: seen,
  cash_received: seen,
  cash_reversed: seen,
  due_released: seen,
  due_waived: seen,
  account_approved: { seen: true, replaced: 'account_rejected' },
  account_rejected: { seen: true, replaced: 'account_approved' },
  announcement: {},
  chat_message: { elsewhere: true },
  safety_question: { elsewhere: true },
}

const allNotices = Object.keys(kindOfNotice) as AnyNotice[]
const titlesWhere = (isMeant: (ending: Ending) => boolean): string[] =>
  allNotices.filter((notice) => isMeant(endings[notice])).map(titleOf)

/** The titles of requests to drivers. */
export const requestTitles = titlesWhere(({ asked }) => asked === true)
/** The titles of what ends with the user's debt. */
export const debtTitles = titlesWhere(({ owed }) => owed === true)

/** Notifications that end: about a booking, of a user, or of a user about a booking; those with one of the titles. */
export interface Ended {
  booking?: string | undefined
  user?: string | undefined
  titles: readonly string[]
}

/** What is needed of a booking's change to know which notifications it ends. */
export interface EndingChange {
  booking: string
  command: BookingEvent['command']
  from: BookingStatus | null
  to: BookingStatus
  gone: readonly { driver: string }[]
  effects: readonly { kind: string; driver?: string }[]
}

/** The notifications that a change of a booking ends. */
export function endedByChange({ booking, command, from, to, gone, effects }: EndingChange): Ended[] {
  const isOver = ({ leaves, answered }: Ending) =>
    (leaves !== undefined && from !== to && !isOneOf(leaves, to)) || answered?.includes(command) === true
  const titles = from === null ? [] : titlesWhere(isOver)
  return [
    ...(titles.length > 0 ? [{ booking, titles }] : []),
    ...gone.map(({ driver }) => ({ booking, user: driver, titles: requestTitles })),
    ...effects.flatMap(({ kind, driver }) =>
      kind === 'claim_driver' && driver !== undefined ? [{ user: driver, titles: requestTitles }] : [],
    ),
  ]
}

/** True if a notification is among the ended ones. */
export const isEnded = (
  { title, user, booking }: { title: string; user: string; booking: string | null },
  ended: readonly Ended[],
): boolean =>
  ended.some(
    (one) =>
      one.titles.includes(title) &&
      (one.booking ?? booking) === booking &&
      (one.user === undefined || one.user === user),
  )

/** The notifications of a user that a new one replaces. */
export function replacedBy({ user, title }: { user: string; title: string }): Ended[] {
  const notice = noticeOf({ title })
  const titles = notice === null ? [] : titlesWhere(({ replaced }) => replaced === notice)
  return titles.length > 0 ? [{ user, titles }] : []
}

/** True if a notification ends when its page is in front of the user. */
export function endsWhenSeen(notification: { title: string }): boolean {
  const notice = noticeOf(notification)
  return notice !== null && endings[notice].seen === true
}
