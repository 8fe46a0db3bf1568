import type { OfficeTable } from '@hansom/domain/access/office-tables'
import { z } from 'zod'
import type { BookingView } from './bookings.ts'
import type { CancelReason } from './cancel-reasons.ts'
import type { CarType } from './car-types.ts'
import type { PublicSettings } from './settings.ts'
import { id } from './shapes.ts'
import { position, type DriverState, type TrackingPoint } from './tracking.ts'
import type { Me } from './users.ts'

/**
 * The live protocol: JSON text frames over a WebSocket at /live. The session cookie or the authorization header (bearer)
 * says who is asking, never the address, which proxies log; Origin is checked at the upgrade.
 *
 * A topic's events are numbered per epoch. A client subscribes with the last (epoch, seq) it has seen. When the
 * server still holds what came after it, it sends just that; otherwise (too old, another epoch, nothing seen) it
 * sends a snapshot with the position at which the events go on. Order in a topic is the order of `seq`, without a
 * gap; a client that meets one subscribes again. Volatile frames have no number: the newest wins.
 *
 * A refused or withdrawn topic is told by `err` and is not followed any more; the socket stays. The server asks for
 * a sign of life every `pingMs` with a WebSocket ping, which browsers answer unseen: a client that has heard nothing
 * for that long sends `ping`, and connects anew when no answer comes.
 *
 * The server's clock comes with `hello` and `pong`, and as `clock` when it was set: a client that counts on it (a driver
 * dates positions by it) takes it from each of them.
 */
export const liveTopics = {
  /** Public settings of the installation. */
  settings: 'settings',
  /** What riders choose from. */
  carTypes: 'carTypes',
  cancelReasons: 'cancelReasons',
  /** The signed-in person's own record. */
  user: 'user',
  /** The open bookings of the signed-in person (rider, driver, fleet admin, admin). */
  bookings: 'bookings',
  /** Driver: the requests that wait for an answer. */
  requests: 'requests',
  /** One booking: `booking:<id>`. */
  booking: 'booking',
  /** Positions of one booking's driver: `tracking:<id>`. */
  tracking: 'tracking',
  /** Office: the active drivers on the map; a fleet admin's own ones. */
  fleet: 'fleet',
  /** Office: which of its tables have news; a fleet admin's own drivers. */
  office: 'office',
} as const
export type LiveTopicKind = keyof typeof liveTopics

const seen = z.object({ epoch: z.string().max(40), seq: z.int().nonnegative() })
const topic = z.string().max(80)

export const clientFrame = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('sub'), topic, seen: seen.optional() }),
  z.strictObject({ t: z.literal('unsub'), topic }),
  /** A driver's position. `ref` asks for an `ack` once it is as durable as it has to be. */
  z.strictObject({ t: z.literal('pos'), position, ref: z.int().optional() }),
  z.strictObject({ t: z.literal('ping'), ref: z.int().optional() }),
])
export type ClientFrame = z.infer<typeof clientFrame>

/** An active, approved driver, busy or heard from lately, as the office sees it on the map: at most `fleetMost`. */
export interface FleetCar extends FleetMove {
  name: string
  vehicleNumber: string | null
  carType: string | null
  carImage: string | null
  /** Busy with a trip. */
  queue: boolean
}

/** Where a driver was last seen. `at` is epoch ms, `bearing` degrees clockwise from north. */
export interface FleetMove {
  uid: string
  lat: number
  lng: number
  bearing: number | null
  at: number
}

/** A `FleetMove` as a short row: uid, lat, lng, bearing, at. */
export type FleetMoveRow = [uid: string, lat: number, lng: number, bearing: number | null, at: number]

/** A `FleetCar` as a short row: its move, name, plate, the place of its car type in the list, and 1 when it is busy. */
export type FleetCarRow = [
  ...move: FleetMoveRow,
  name: string,
  vehicleNumber: string | null,
  carType: number,
  queue: 0 | 1,
]

/** Every car of the fleet map, for the frame that opens it. */
export interface FleetState {
  /** Name and picture of each car type. */
  carTypes: [name: string | null, image: string | null][]
  cars: FleetCarRow[]
}

/**
 * A driver who came or changed, one who went, or, volatile, those who have moved since a moment ago: of very many the others
 * come with the next frames. What moved may be older than what is known: the newest `at` wins. Who is not known is not on
 * the map.
 */
export type FleetChange = { put: FleetCar } | { remove: string } | { moved: FleetMoveRow[] }

/** Tables in which something has come, changed or gone: who has one of them open reads it again. */
export interface OfficeNews {
  tables: OfficeTable[]
}

/** What a topic's snapshot carries. */
export interface LiveSnapshots {
  settings: PublicSettings
  carTypes: CarType[]
  cancelReasons: CancelReason[]
  user: Me
  bookings: BookingView[]
  requests: BookingView[]
  booking: BookingView
  tracking: TrackingPoint | null
  fleet: FleetState
  office: OfficeNews
}

/** What a topic's numbered events carry. Lists get one changed item, or the id of one that left. */
export interface LiveEvents {
  settings: PublicSettings
  carTypes: CarType[]
  cancelReasons: CancelReason[]
  user: Me
  bookings: ListChange
  requests: ListChange
  booking: BookingView
  tracking: TrackingPoint | null
  fleet: FleetChange
  office: OfficeNews
}
export type ListChange =
  | { put: BookingView }
  | { remove: string; why?: 'taken' | 'expired' | 'cancelled' | 'answered' }

export type ServerFrame =
  /** First frame: who the server thinks is there, its clock, and the time between its pings in ms. */
  | { t: 'hello'; uid: string | null; now: number; speed: number; pingMs: number }
  | { t: 'snap'; topic: string; epoch: string; seq: number; data: unknown }
  | { t: 'ev'; topic: string; epoch: string; seq: number; data: unknown }
  /** Everything after what was seen has been sent: the client is up to date. */
  | { t: 'live'; topic: string; epoch: string; seq: number }
  | { t: 'vol'; topic: string; data: unknown }
  /** Refused or withdrawn topic, or a refused position. */
  | { t: 'err'; topic?: string; ref?: number; error: string }
  | { t: 'ack'; ref: number }
  | { t: 'pong'; ref?: number; now: number; speed: number }
  /** The server's clock has been set forward or back: its time is `now`. */
  | { t: 'clock'; now: number; speed: number }

/**
 * Close codes: 4401 the session has ended (its reason may be an error key), 4408 no sign of life, 4429 too many frames, 1001 the server restarts,
 * 1008 not a frame of this protocol. Without a code (1006) the line broke, or the client read too slowly and was cut
 * off: it connects anew and resumes.
 */
export const liveClose = { sessionEnded: 4401, silent: 4408, tooMany: 4429 } as const

export const bookingTopic = (bookingId: string) => `booking:${bookingId}`
export const trackingTopic = (bookingId: string) => `tracking:${bookingId}`

/** Splits a topic; null for what is no topic. */
export function parseTopic(text: string): { kind: LiveTopicKind; id: string | null } | null {
  const [kind, ref, ...rest] = text.split(':')
  if (rest.length > 0 || !kind || !Object.hasOwn(liveTopics, kind)) return null
  const needsId = kind === 'booking' || kind === 'tracking'
  if (needsId !== (ref !== undefined)) return null
  if (ref !== undefined && !id.safeParse(ref).success) return null
  return { kind: kind as LiveTopicKind, id: ref ?? null }
}
export type { DriverState }
