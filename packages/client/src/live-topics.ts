import type { BookingView } from '@hansom/contract/bookings'
import type { ChatEvent, ChatMessage, ChatView } from '@hansom/contract/chats'
import type { DispatchChange } from '@hansom/contract/dispatch'
import { unpackFleet } from '@hansom/contract/fleet-state'
import type {
  FleetCar,
  FleetChange,
  FleetMove,
  ListChange,
  LiveEvents,
  LiveSnapshots,
  LiveTopicKind,
} from '@hansom/contract/live'
/** Client-side data of a topic, by kind. */
export type LiveData = Omit<LiveSnapshots, 'fleet'> & { fleet: FleetCar[] }

type Reduce<Kind extends LiveTopicKind> = {
  /** The topic's new value after a numbered or volatile event. */
  event: (old: LiveData[Kind] | undefined, data: LiveEvents[Kind]) => LiveData[Kind] | undefined
  /** The topic's value after a snapshot. */
  snapshot: (old: LiveData[Kind] | undefined, data: LiveSnapshots[Kind]) => LiveData[Kind]
}

/** The kinds of topics that are about one booking. */
type BookingKind = 'booking' | 'tracking' | 'chat' | 'safety'

/** The name of a topic: its kind, with the booking's id for those about one. */
export type TopicName = Exclude<LiveTopicKind, BookingKind> | `${BookingKind}:${string}`

/** The kind of a topic. */
export type KindOf<Name extends TopicName> = Name extends LiveTopicKind
  ? Name
  : Name extends `${infer Kind extends BookingKind}:${string}`
    ? Kind
    : never

/** Returns the view with the higher version; `next` if they are equal or different bookings. */
export function newerView(old: BookingView | undefined, next: BookingView): BookingView {
  return old && old.id === next.id && old.version > next.version ? old : next
}

/** Replaces a view in a list, or adds it in front. */
export function upsertView(list: readonly BookingView[], view: BookingView): BookingView[] {
  const at = list.findIndex(({ id }) => id === view.id)
  return at < 0 ? [view, ...list] : list.map((old, index) => (index === at ? newerView(old, view) : old))
}

function changeList(old: BookingView[] | undefined, change: ListChange): BookingView[] {
  return 'put' in change
    ? upsertView(old ?? [], change.put)
    : (old ?? []).filter(({ id }) => id !== change.remove)
}

/** The newest data replaces the old. */
const latest = <Data>(_old: Data | undefined, data: Data): Data => data

function latestPoint(old: LiveSnapshots['tracking'] | undefined, point: LiveSnapshots['tracking']) {
  return old && point && old.at > point.at ? old : point
}

/** Moves many cars at once; a frame may be older than the known position of a car. */
function changeFleet(old: LiveData['fleet'] | undefined, change: FleetChange) {
  const cars = old ?? []
  if ('remove' in change) return cars.filter(({ uid }) => uid !== change.remove)
  if ('put' in change) {
    const known = cars.find(({ uid }) => uid === change.put.uid)
    const put = known && known.at > change.put.at ? { ...change.put, ...placeOf(known) } : change.put
    return [...cars.filter(({ uid }) => uid !== put.uid), put]
  }
  const moved = new Map(
    change.moved.map(([uid, lat, lng, bearing, at]) => [uid, { uid, lat, lng, bearing, at }]),
  )
  return cars.map((car) => {
    const move = moved.get(car.uid)
    return move && move.at > car.at ? { ...car, ...placeOf(move) } : car
  })
}

/** A change of the dispatch screen; an older version of a booking and another admin's release change nothing. */
function changeBoard(old: LiveData['dispatch'] | undefined, change: DispatchChange) {
  if (old === undefined) return undefined
  if ('rules' in change) return { ...old, rules: change.rules }
  if ('hold' in change) {
    return {
      ...old,
      holds: [...old.holds.filter(({ booking }) => booking !== change.hold.booking), change.hold],
    }
  }
  if ('released' in change) {
    const { booking, user } = change.released
    return { ...old, holds: old.holds.filter((hold) => hold.booking !== booking || hold.user !== user) }
  }
  if ('remove' in change) return { ...old, bookings: old.bookings.filter(({ id }) => id !== change.remove) }
  const { put } = change
  const at = old.bookings.findIndex(({ id }) => id === put.id)
  if (at < 0) return { ...old, bookings: [...old.bookings, put] }
  const newest = old.bookings.map((known, index) =>
    index === at && put.version >= known.version ? put : known,
  )
  return { ...old, bookings: newest }
}

/** Merges a message into those known, newest first. A message is sent again after a reconnection: the same number is one. */
function withMessage(messages: readonly ChatMessage[], message: ChatMessage): ChatMessage[] {
  const at = messages.findIndex(({ seq }) => seq <= message.seq)
  if (at < 0) return [...messages, message]
  return messages[at]?.seq === message.seq
    ? messages.map((known, index) => (index === at ? message : known))
    : [...messages.slice(0, at), message, ...messages.slice(at)]
}

/** A later mark replaces an earlier one; marks never go back. */
function changeChat(old: LiveData['chat'] | undefined, change: ChatEvent): ChatView | undefined {
  if (old === undefined) return undefined
  if ('message' in change) return { ...old, messages: withMessage(old.messages, change.message) }
  if ('marks' in change) return { ...old, marks: change.marks }
  if ('state' in change) return { ...old, ...change }
  return old
}

const placeOf = ({ lat, lng, bearing, at }: FleetMove) => ({ lat, lng, bearing, at })

/** Reducers for each kind of topic. An older version never replaces a newer one. */
export const reducers: { [Kind in LiveTopicKind]: Reduce<Kind> } = {
  settings: { snapshot: latest, event: latest },
  carTypes: { snapshot: latest, event: latest },
  cancelReasons: { snapshot: latest, event: latest },
  user: { snapshot: latest, event: latest },
  notifications: { snapshot: latest, event: latest },
  bookings: { snapshot: latest, event: changeList },
  requests: { snapshot: latest, event: changeList },
  booking: { snapshot: newerView, event: newerView },
  safety: { snapshot: latest, event: latest },
  dispatch: { snapshot: latest, event: changeBoard },
  fleet: { snapshot: (_old, state) => unpackFleet(state), event: changeFleet },
  office: { snapshot: latest, event: latest },
  tracking: { snapshot: latest, event: latestPoint },
  chat: { snapshot: latest, event: changeChat },
}
