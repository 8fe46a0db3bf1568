import { type AlertKind, alertKinds } from '../alerts/alerts.ts'
import type { Notice } from '../bookings/notices.ts'
import type { PaymentNotice } from '../payments/payment.ts'
import type { announcementNotice } from '../push-notifications/push-notification.ts'
import type { AccountNotice } from '../users/profile.ts'
import type { Role } from '../users/roles.ts'
import type { WalletNotice } from '../wallet/notices.ts'

/** What notifications are about, in the order of the preferences. */
export const notificationKinds = [
  'requests',
  'trip',
  'chat',
  'safety',
  'payments',
  'account',
  'news',
  'alerts',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** The first unread message of a conversation. */
export const chatNotice = 'chat_message'
/** The question whether all is well. */
export const safetyNotice = 'safety_question'
/** The alert of a safety alarm. Unlike other alerts, it cannot be muted. */
const safetyAlert: AlertKind = 'safety'

export type AnyNotice =
  | Notice
  | WalletNotice
  | PaymentNotice
  | AccountNotice
  | typeof announcementNotice
  | typeof chatNotice
  | typeof safetyNotice

/** The kind of every notice, whose texts are `notify.<notice>.title` and `.msg`. */
export const kindOfNotice = {
  new_booking: 'requests',
  next_trip: 'requests',
  accepted: 'trip',
  driver_near: 'trip',
  arrived_far: 'trip',
  ended_far: 'trip',
  trip_started: 'trip',
  parcel_delivered: 'trip',
  parcel_returned: 'trip',
  drop_failed: 'trip',
  drop_failed_too: 'trip',
  delivery_ended: 'trip',
  stop_far: 'trip',
  stop_unseen: 'trip',
  stop_unsigned: 'trip',
  otp_wrong: 'trip',
  rated: 'trip',
  booking_cancelled: 'trip',
  looking_again: 'trip',
  driver_withdrawn: 'trip',
  trip_withdrawn: 'trip',
  booking_changed: 'trip',
  trip_changed: 'trip',
  search_again: 'trip',
  payment_expired: 'trip',
  chat_message: 'chat',
  safety_question: 'safety',
  payment_due: 'payments',
  rider_paid: 'payments',
  driver_credited: 'payments',
  not_paid: 'payments',
  outstanding_not_paid: 'payments',
  objected: 'payments',
  objection_decided: 'payments',
  return_objected: 'payments',
  return_decided: 'payments',
  payment_to_wallet: 'payments',
  topped_up: 'payments',
  wallet_credited: 'payments',
  wallet_debited: 'payments',
  adjustment_reversed: 'payments',
  payout_requested: 'payments',
  withdraw_processed: 'payments',
  withdraw_refused: 'payments',
  upgrade_refused: 'payments',
  refund_to_wallet: 'payments',
  refund_to_card: 'payments',
  refund_borne: 'payments',
  cash_received: 'payments',
  cash_reversed: 'payments',
  due_released: 'payments',
  due_waived: 'payments',
  account_approved: 'account',
  account_rejected: 'account',
  announcement: 'news',
} as const satisfies Record<AnyNotice, NotificationKind>

/** The key of a notice's title. */
export const titleOf = (notice: AnyNotice): string => `notify.${notice}.title`

/** The notice of a notification, by the key of its title; null for an alert or an unknown key. */
export function noticeOf({ title }: { title: string }): AnyNotice | null {
  const name = /^notify\.(\w+)\.title$/.exec(title)?.[1]
  return name !== undefined && Object.hasOwn(kindOfNotice, name) ? (name as AnyNotice) : null
}

/**
 * The kind of a notification, by the key of its title. Alerts of admins are one kind, except safety alarms; unknown keys are
 * news.
 */
export function kindOfNotification(notification: { title: string }): NotificationKind {
  const notice = noticeOf(notification)
  if (notice !== null) return kindOfNotice[notice]
  const alert = /^alert\.(\w+)\.title$/.exec(notification.title)?.[1]
  if (alert === safetyAlert) return 'safety'
  return alertKinds.includes(alert as AlertKind) ? 'alerts' : 'news'
}

/** The keys of the titles of a kind's notifications. */
export function titlesOf(kind: NotificationKind): string[] {
  const notices = Object.entries(kindOfNotice).filter(([, of]) => of === kind)
  const alerts = alertKinds.filter((name) => kind === (name === safetyAlert ? 'safety' : 'alerts'))
  return [
    ...notices.map(([notice]) => titleOf(notice as AnyNotice)),
    ...alerts.map((name) => `alert.${name}.title`),
  ]
}

/** Unread notifications are counted up to this number. */
export const maxUnread = 100

const kindsByRole: Readonly<Record<Role, readonly NotificationKind[]>> = {
  rider: ['trip', 'chat', 'safety', 'payments', 'account', 'news'],
  driver: ['requests', 'trip', 'chat', 'safety', 'payments', 'account', 'news'],
  fleetadmin: ['safety', 'account', 'alerts'],
  admin: ['safety', 'payments', 'account', 'alerts'],
}

/** The kinds that a role receives, in the order of the preferences. */
export const kindsOfRole = (role: Role): readonly NotificationKind[] => kindsByRole[role]

/**
 * The kinds that cannot be muted: a driver who wants no requests goes offline, and a question about safety and a decision
 * about an account always reach their recipient.
 */
export const unmutedKinds: readonly NotificationKind[] = ['requests', 'safety', 'account']

/** The kinds that a role may mute. */
export const mutableKinds = (role: Role): NotificationKind[] =>
  kindsByRole[role].filter((kind) => !unmutedKinds.includes(kind))

/** How a push message of a kind is sent. */
interface PushRule {
  /** `high` wakes a sleeping phone (RFC 8030, section 5.3). */
  urgency: 'high' | 'normal' | 'low'
  /** How long a push service keeps it for a device that is offline, s. A request is kept for the time left to answer. */
  ttlS: number
}

const hourS = 3_600

export const pushRules: Readonly<Record<NotificationKind | 'test', PushRule>> = {
  requests: { urgency: 'high', ttlS: hourS / 2 },
  trip: { urgency: 'high', ttlS: 2 * hourS },
  chat: { urgency: 'high', ttlS: 4 * hourS },
  safety: { urgency: 'high', ttlS: hourS },
  payments: { urgency: 'normal', ttlS: 24 * hourS },
  account: { urgency: 'normal', ttlS: 72 * hourS },
  news: { urgency: 'low', ttlS: 72 * hourS },
  alerts: { urgency: 'normal', ttlS: 24 * hourS },
  test: { urgency: 'high', ttlS: 60 },
}

/**
 * The tag of a notification's push messages: a device shows one for each tag. The requests for a booking share one, and
 * so do the messages of a chat.
 */
export function pushTag(notification: { title: string; booking: string | null; id: string }): string {
  const kind = kindOfNotification(notification)
  if (notification.booking === null) return notification.id
  if (kind === 'requests') return requestTag(notification.booking)
  return kind === 'chat' ? chatTag(notification.booking) : notification.id
}

export const requestTag = (booking: string): string => `request:${booking}`
export const chatTag = (booking: string): string => `chat:${booking}`
