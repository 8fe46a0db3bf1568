import type { NotificationKind } from '../notifications/kinds.ts'

/** What the service worker knows of a notification in addition to its texts. */
export interface PushData {
  kind: NotificationKind | 'test'
  /** The notification's id in the list of the user; null for a test and for a message that is not listed. */
  id: string | null
  /** Where the notification leads, such as `DriverTrips`; `navigate` is the page for the receiver's role. */
  screen: string
  booking: string | null
  /** When it was stored, epoch ms. */
  at: number
  /** When a request expires, epoch ms; null for others. */
  expiresAt: number | null
}

/**
 * The payload that shows a notification, in the declarative form that Safari shows without a service worker (W3C Push
 * API, "Declarative push message"; `web_push` is the number of RFC 8030). Other browsers' service workers read the same
 * JSON.
 */
export interface ShowMessage {
  web_push: 8030
  notification: {
    title: string
    body: string
    /** Absolute URL of the page to open. */
    navigate: string
    /** A notification with the same tag replaces the shown one. */
    tag: string
    lang: string
    dir: 'ltr' | 'rtl'
    silent: boolean
    renotify: boolean
    requireInteraction: boolean
    data: PushData
  }
}

/** The payload that closes notifications which were handled elsewhere. Never sent to Safari's service. */
export interface CloseMessage {
  close: { tags: string[] }
}

/** The decrypted payload of a web push message. */
export type WebMessage = ShowMessage | CloseMessage
