import { homeOf, type PlainScreenPath } from '../access/screens.ts'
import { type AlertPage, alertKindOf, alertKindsOf, pageOfAlert } from '../alerts/alerts.ts'
import type { Role } from '../users/roles.ts'
import { noticeOf } from './kinds.ts'

/** What is needed of a notification to find its page. */
export interface LinkedNotification {
  title: string
  /** Where it leads: a name of the specification such as `BookedCab`, or the kind of an alert. */
  screen: string
  booking: string | null
  params: Readonly<Record<string, string>>
}

/** A page with its search parameters; `/trip/$id` with the booking's id. */
export type NotificationPage =
  | { screen: PlainScreenPath; search: AlertPage['search']; hash?: string }
  | { screen: '/trip/$id'; id: string; search: AlertPage['search']; hash?: string }

/** The search parameter that opens the chat of a trip page. */
export const chatSearch: AlertPage['search'] = { chat: 'open' }

/** Notices to a driver about a trip that has ended, which the console does not show any more. */
const aboutEndedTrip: readonly unknown[] = [
  'booking_cancelled',
  'rated',
  'objected',
  'objection_decided',
  'return_objected',
  'return_decided',
]

/** The page that a notification opens for a viewer with this role. Every role may open the page it gets. */
export function pageOfNotification(notification: LinkedNotification, role: Role): NotificationPage {
  const { screen, booking } = notification
  const plain = (path: PlainScreenPath): NotificationPage => ({ screen: path, search: {} })
  const trip = (search: AlertPage['search'] = {}): NotificationPage | null =>
    booking === null ? null : { screen: '/trip/$id', id: booking, search }
  const home = plain(homeOf[role])
  const isBackOffice = role === 'admin' || role === 'fleetadmin'

  const alert = alertKindOf(notification)
  if (alert !== null) {
    // The viewer's role may have changed since they were alerted.
    return alertKindsOf(role).includes(alert) ? (pageOfAlert(notification, role) ?? trip() ?? home) : home
  }
  switch (screen) {
    case 'onlineChat':
      return trip(chatSearch) ?? plain('/bookings')
    case 'wallet':
      return isBackOffice ? (trip() ?? home) : plain('/wallet')
    case 'withdraws':
      return role === 'admin' ? plain('/withdraws') : home
    case 'profile':
      return plain('/profile')
    case 'BookingCab':
      return trip() ?? home
    case 'DriverTrips': {
      if (role !== 'driver') return trip() ?? home
      // The console shows requests and the current trip; the page of a lost trip does not exist for the driver.
      return (aboutEndedTrip.includes(noticeOf(notification)) ? trip() : null) ?? plain('/bookings')
    }
    case 'BookedCab':
      return trip() ?? plain('/bookings')
    default:
      return trip() ?? home
  }
}

/** The path of a page, with its search parameters. */
export function pathOfPage(page: NotificationPage): string {
  const path = page.screen === '/trip/$id' ? `/trip/${page.id}` : page.screen
  const search = Object.entries(page.search).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const full = search.length === 0 ? path : `${path}?${search.join('&')}`
  return page.hash ? `${full}#${page.hash}` : full
}
