import type { WatchedTable } from '@hansom/domain/audit/record-kinds'
import { z } from 'zod'
import type { BookingView } from './bookings.ts'
import type { CancelReason } from './cancel-reasons.ts'
import type { CarType } from './car-types.ts'
import type { ChatEvent, ChatView } from './chats.ts'
import type { DispatchChange, DispatchState } from './dispatch.ts'
import type { SafetyState } from './safety.ts'
import type { PublicSettings } from './settings.ts'
import { id } from './shapes.ts'
import { type DriverState, position, type TrackingPoint } from './tracking.ts'
import type { Me } from './users.ts'

/**
 * The live protocol: JSON text frames over a WebSocket at /live. The session cookie or the authorization header
 * (bearer) identifies the user, never the URL, which proxies log; Origin is checked at the upgrade.
 *
 * A topic's events are numbered per epoch. A client subscribes with the last (epoch, seq) it has seen. If the server
 * still holds all later events, it sends just those; otherwise (too old, another epoch, nothing seen) it sends a
 * snapshot with the position at which the events continue. Events of a topic are ordered by `seq`, without gaps; a
 * client that finds a gap subscribes again. Volatile frames have no number: the newest wins.
 *
 * A refused or revoked topic is reported by `err` and ends; the socket stays open. The server sends a WebSocket ping
 * every `pingMs`, which browsers answer on their own: a client that has received nothing for that long sends `ping`,
 * and reconnects when no answer arrives.
 *
 * The server's clock is in `hello` and `pong`, and in `clock` when it was set: a client that depends on it (drivers
 * date positions by it) updates from each of them.
 */
export const liveTopics = {
  /** Public settings of the installation. */
  settings: 'settings',
  /** Car types offered to riders. */
  carTypes: 'carTypes',
  cancelReasons: 'cancelReasons',
  /** The signed-in user's own record. */
  user: 'user',
  /** That the signed-in user's list of notifications has changed. */
  notifications: 'notifications',
  /** The open bookings of the signed-in user (rider, driver, fleet admin, admin). */
  bookings: 'bookings',
  /** For drivers: the requests that wait for an answer. */
  requests: 'requests',
  /** One booking: `booking:<id>`. */
  booking: 'booking',
  /** Questions and alarms of one booking, for its rider and driver: `safety:<id>`. */
  safety: 'safety',
  /** Positions of one booking's driver: `tracking:<id>`. */
  tracking: 'tracking',
  /** The conversation of one booking: `chat:<id>`, for its rider and its driver. */
  chat: 'chat',
  /** For admins: the active drivers on the map; for fleet admins: their own drivers. */
  fleet: 'fleet',
  /** For admins: the bookings to dispatch, and who holds them. */
  dispatch: 'dispatch',
  /** For admins and fleet admins: which back-office tables have changed. */
  office: 'office',
} as const
export type LiveTopicKind = keyof typeof liveTopics

const seen = z.object({ epoch: z.string().max(40), seq: z.int().nonnegative() })
const topic = z.string().max(80)

export const clientFrame = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('sub'), topic, seen: seen.optional() }),
  z.strictObject({ t: z.literal('unsub'), topic }),
  /** A driver's position. `ref` requests an `ack` once the position is stored as durably as needed. */
  z.strictObject({ t: z.literal('pos'), position, ref: z.int().optional() }),
  z.strictObject({ t: z.literal('ping'), ref: z.int().optional() }),
])
export type ClientFrame = z.infer<typeof clientFrame>

/** An active, approved driver, busy or recently located, as shown on the fleet map: at most `maxFleetCars`. */
export interface FleetCar extends FleetMove {
  name: string
  vehicleNumber: string | null
  carType: string | null
  carImage: string | null
  /** Busy with a trip. */
  queue: boolean
}

/** A driver's last known position. `at` is epoch ms, `bearing` degrees clockwise from north. */
export interface FleetMove {
  uid: string
  lat: number
  lng: number
  bearing: number | null
  at: number
}

/** A `FleetMove` as a compact row: uid, lat, lng, bearing, at. */
export type FleetMoveRow = [uid: string, lat: number, lng: number, bearing: number | null, at: number]

/**
 * A `FleetCar` as a compact row: its move, name, plate, the index of its car type in the list, and 1 when it is busy.
 */
export type FleetCarRow = [
  ...move: FleetMoveRow,
  name: string,
  vehicleNumber: string | null,
  carType: number,
  queue: 0 | 1,
]

/** Every car of the fleet map, for the first frame. */
export interface FleetState {
  /** Name and picture of each car type. */
  carTypes: [name: string | null, image: string | null][]
  cars: FleetCarRow[]
}

/**
 * A driver added or changed, a driver removed, or (volatile) recent moves; in a large fleet the remaining moves follow
 * in the next frames. A move may be older than the known position: the newest `at` wins. Moves of unknown drivers are
 * ignored.
 */
export type FleetChange = { put: FleetCar } | { remove: string } | { moved: FleetMoveRow[] }

/** Tables with added, changed or removed rows: a client that shows one of them reloads it. */
export interface TableChanges {
  tables: WatchedTable[]
}

/** The list of notifications has changed: new ones, or some were read. A client that shows them loads them again. */
export interface NotificationsChange {
  /** Epoch ms. */
  at: number
}

/** The payload of a topic's snapshot. */
export interface LiveSnapshots {
  settings: PublicSettings
  carTypes: CarType[]
  cancelReasons: CancelReason[]
  user: Me
  notifications: NotificationsChange
  bookings: BookingView[]
  requests: BookingView[]
  booking: BookingView
  safety: SafetyState
  tracking: TrackingPoint | null
  chat: ChatView
  fleet: FleetState
  dispatch: DispatchState
  office: TableChanges
}

/** The payload of a topic's numbered events. Lists get one changed item, or the id of a removed one. */
export interface LiveEvents {
  settings: PublicSettings
  carTypes: CarType[]
  cancelReasons: CancelReason[]
  user: Me
  notifications: NotificationsChange
  bookings: ListChange
  requests: ListChange
  booking: BookingView
  safety: SafetyState
  tracking: TrackingPoint | null
  chat: ChatEvent
  fleet: FleetChange
  dispatch: DispatchChange
  office: TableChanges
}
export type ListChange = { put: BookingView } | { remove: string; why?: RemovalReason }
/** Why a driver no longer has a request. */
export type RemovalReason = 'taken' | 'expired' | 'cancelled' | 'withdrawn' | 'answered'

export type ServerFrame =
  /** First frame: the user the server has identified, its clock, and its ping interval in ms. */
  | { t: 'hello'; uid: string | null; now: number; speed: number; pingMs: number }
  | { t: 'snap'; topic: string; epoch: string; seq: number; data: unknown }
  | { t: 'ev'; topic: string; epoch: string; seq: number; data: unknown }
  /** All missed events have been sent: the client is up to date. */
  | { t: 'live'; topic: string; epoch: string; seq: number }
  | { t: 'vol'; topic: string; data: unknown }
  /** A refused or revoked topic, or a refused position. */
  | { t: 'err'; topic?: string; ref?: number | undefined; error: string }
  | { t: 'ack'; ref: number }
  | { t: 'pong'; ref?: number | undefined; now: number; speed: number }
  /** The server's clock was set forward or back; it is now `now`. */
  | { t: 'clock'; now: number; speed: number }

/**
 * Close codes: 4401 the session has ended (the reason may be an error key), 4408 no sign of life, 4429 too many frames,
 * 1001 the server restarts, 1008 not a frame of this protocol. Without a code (1006) the connection broke, or the
 * client read too slowly and was disconnected: it reconnects and resumes.
 */
export const liveClose = { sessionEnded: 4401, silent: 4408, tooMany: 4429 } as const

export const bookingTopic = (bookingId: string) => `booking:${bookingId}`
export const safetyTopic = (bookingId: string) => `safety:${bookingId}`
export const trackingTopic = (bookingId: string) => `tracking:${bookingId}`
export const chatTopic = (bookingId: string) => `chat:${bookingId}`

/** Splits a topic; null for an invalid one. */
export function parseTopic(text: string): { kind: LiveTopicKind; id: string | null } | null {
  const [kind, ref, ...rest] = text.split(':')
  if (rest.length > 0 || !kind || !Object.hasOwn(liveTopics, kind)) return null
  const needsId = ['booking', 'tracking', 'chat', 'safety'].includes(kind)
  if (needsId !== (ref !== undefined)) return null
  if (ref !== undefined && !id.safeParse(ref).success) return null
  return { kind: kind as LiveTopicKind, id: ref ?? null }
}
export type { DriverState }
