import type { PlainScreenPath } from '../access/screens.ts'
import type { Settings } from '../settings/settings.ts'
import { cityDay } from '../time/city-time.ts'
import type { Role } from '../users/roles.ts'

/** A page that lists open matters, with the filters of its table. */
export interface AlertPage {
  screen: PlainScreenPath
  search: Readonly<Record<string, string>>
  /** The section of the page. */
  hash?: string
  /** The filter by day, for matters of the last day only. */
  dayFilter?: string
}

interface AlertRule extends AlertPage {
  /** The category in which it occurs; both when omitted. */
  category?: Settings['category']
  /** Who is alerted; a fleet admin only of their own drivers and trips. */
  roles: readonly Role[]
  /** The page for admins, where only they can settle the matter. */
  forAdmin?: AlertPage
}

const admin: readonly Role[] = ['admin']
const backOffice: readonly Role[] = ['admin', 'fleetadmin']

/** The matters that wait for an admin, in the order of the to-do list. An open one is counted until it is settled. */
export const alerts = {
  /** A panic button that was pressed, or a question during a trip that was answered with "help" or not at all. */
  safety: { roles: backOffice, screen: '/safety', search: {} },
  /** A driver who is neither approved nor rejected. */
  driver_waiting: { roles: backOffice, screen: '/drivers', search: { approval: 'waiting' } },
  /** An undecided withdrawal. */
  withdrawal: { roles: admin, screen: '/withdraws', search: { state: 'open' } },
  /** A booking that no driver took in the last day, and whose rider has not booked since. */
  no_driver: {
    roles: admin,
    screen: '/bookings',
    search: { outcome: 'no_driver' },
    dayFilter: 'tripdate',
  },
  /** A card payment whose report differs, or one that failed in the last day and left its booking unpaid. */
  payment: { roles: admin, screen: '/payments', search: { state: 'mismatch,failed' } },
  /** A refund that an admin has to check at the provider. */
  refund: { roles: admin, screen: '/disputes', search: { state: 'by_hand' } },
  /** An undecided objection of a rider to the driver's cash answer, or to a return leg. */
  objection: {
    roles: backOffice,
    screen: '/bookings',
    search: { objection: 'open' },
    forAdmin: { screen: '/disputes', search: {} },
  },
  /**
   * A delivery of which, in the last day, a failed drop was reported without the courier's position there, or a required
   * signature is missing.
   */
  unproven_stop: {
    roles: backOffice,
    screen: '/bookings',
    search: {},
    dayFilter: 'unproven',
    category: 'delivery',
  },
  /** An unsettled report of a chat, by one of its two people. */
  chat_report: { roles: admin, screen: '/bookings', search: { chat_report: 'open' } },
  /** A channel of messages with most of its daily limit used up, or with messages that a limit held back today. */
  message_limit: { roles: admin, screen: '/settings', search: {}, hash: 'messages' },
  /** Parked events of one kind, or permanently failed jobs of one name. */
  failed_work: { roles: admin, screen: '/dashboard', search: {} },
} as const satisfies Record<string, AlertRule>

export type AlertKind = keyof typeof alerts
export const alertKinds = Object.keys(alerts) as [AlertKind, ...AlertKind[]]

/** Counts of open matters stop at this number. */
export const maxAlertCount = 1_000

/** Matters that no longer need anyone after this time, and new ones that are older are counted but not announced, ms. */
export const alertDayMs = 86_400_000

/** The part of a day's limit of messages that is used up when admins are alerted. */
const nearLimitPart = 0.8

/**
 * What a channel's messages of a day give reason to alert of: most of the installation's limit is used up, or it held one back
 * (`dropped`).
 */
export function messageLimitMatter({
  sent,
  dropped,
  limit,
}: {
  sent: number
  dropped: number
  limit: number
}): 'near' | 'dropped' | null {
  if (dropped > 0) return 'dropped'
  return limit > 0 && sent >= limit * nearLimitPart ? 'near' : null
}

/** The shortest time between two emails with alerts, ms. */
export const alertMailIntervalMs = 600_000

/** The kinds that a role is alerted of, in a category or, when omitted, in either. */
export const alertKindsOf = (role: Role, category?: Settings['category']): AlertKind[] =>
  alertKinds.filter((kind) => {
    const rule: AlertRule = alerts[kind]
    const isOther = category !== undefined && rule.category !== undefined && rule.category !== category
    return rule.roles.includes(role) && !isOther
  })

/** The kind of a notification, whose `screen` names it; null if it is not an alert. */
export const alertKindOf = ({ screen }: { screen: string }): AlertKind | null =>
  alertKinds.find((kind) => kind === screen) ?? null

/** The page where a user with this role finds the open matters of a kind. */
export function alertPageOf(kind: AlertKind, role: Role): AlertPage {
  const rule: AlertRule = alerts[kind]
  return (role === 'admin' && rule.forAdmin) || rule
}

/** The filters of the page of a kind at `now`, in a time zone. Days are complete, so it may list a few older matters. */
export function alertSearchOf(
  { search, dayFilter }: AlertPage,
  now: number,
  timezone: string,
): AlertPage['search'] {
  if (dayFilter === undefined) return search
  return { ...search, [dayFilter]: `${cityDay(now - alertDayMs, timezone)}..${cityDay(now, timezone)}` }
}

/** What is needed of a notification to find its page. */
interface Alert {
  screen: string
  booking: string | null
  params: Readonly<Record<string, string>>
}

/**
 * The page where the matter of an alert is settled, narrowed to the user or booking it is about. Null for an alert that
 * leads to its trip, and for other notifications.
 */
export function pageOfAlert(alert: Alert, role: Role): AlertPage | null {
  const kind = alertKindOf(alert)
  if (kind === null) return null
  const { screen, search, hash } = alertPageOf(kind, role)
  const { booking, params } = alert
  if (screen === '/bookings' && booking !== null) return null
  const [name, value] = {
    safety: ['booking', booking],
    driver_waiting: ['open', params.person],
    withdrawal: ['uid', params.person],
    payment: ['booking', booking],
    refund: ['booking', booking],
    no_driver: [],
    objection: [],
    unproven_stop: [],
    chat_report: [],
    message_limit: [],
    failed_work: [],
  }[kind]
  return { screen, search: name && value ? { ...search, [name]: value } : search, ...(hash && { hash }) }
}

/** The path that an alert leads to, with its filters. Null for other notifications. */
export function alertPath(alert: Alert, role: Role): string | null {
  if (alertKindOf(alert) === null) return null
  const page = pageOfAlert(alert, role)
  if (page === null) return `/trip/${alert.booking}`
  const filters = Object.entries(page.search).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const path = [page.screen, ...(filters.length > 0 ? [filters.join('&')] : [])].join('?')
  return page.hash ? `${path}#${page.hash}` : path
}
