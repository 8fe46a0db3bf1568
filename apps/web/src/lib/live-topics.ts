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
import { newerView, storeBooking, upsertView } from './booking-cache.ts'
import { storeCancelReasons, storeCarTypes } from './catalogue.ts'
import { storeMe } from './session.ts'
import { storeSettings } from './settings.ts'

/** Client-side data of a topic, by kind. */
export type LiveData = Omit<LiveSnapshots, 'fleet'> & { fleet: FleetCar[] }

type Reduce<Kind extends LiveTopicKind> = {
  /** The topic's new value after a numbered or volatile event. */
  event: (old: LiveData[Kind] | undefined, data: LiveEvents[Kind]) => LiveData[Kind] | undefined
  /** The topic's value after a snapshot. */
  snapshot: (old: LiveData[Kind] | undefined, data: LiveSnapshots[Kind]) => LiveData[Kind]
}

function changeList(old: LiveSnapshots['bookings'] | undefined, change: ListChange) {
  if ('put' in change) {
    storeBooking(change.put)
    return upsertView(old ?? [], change.put)
  }
  return (old ?? []).filter(({ id }) => id !== change.remove)
}

function takeList(_old: LiveSnapshots['bookings'] | undefined, views: LiveSnapshots['bookings']) {
  for (const view of views) storeBooking(view)
  return views
}

function takeCarTypes(_old: LiveSnapshots['carTypes'] | undefined, list: LiveSnapshots['carTypes']) {
  storeCarTypes(list)
  return list
}

function takeReasons(_old: LiveSnapshots['cancelReasons'] | undefined, list: LiveSnapshots['cancelReasons']) {
  storeCancelReasons(list)
  return list
}

function takeBooking(old: LiveSnapshots['booking'] | undefined, view: LiveSnapshots['booking']) {
  storeBooking(view)
  return newerView(old, view)
}

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

const placeOf = ({ lat, lng, bearing, at }: FleetMove) => ({ lat, lng, bearing, at })

/** Reducers for each kind of topic. An older version never replaces a newer one. */
export const reducers: { [Kind in LiveTopicKind]: Reduce<Kind> } = {
  settings: {
    snapshot: (_old, data) => {
      storeSettings(data)
      return data
    },
    event: (_old, data) => {
      storeSettings(data)
      return data
    },
  },
  carTypes: { snapshot: takeCarTypes, event: takeCarTypes },
  cancelReasons: { snapshot: takeReasons, event: takeReasons },
  user: {
    snapshot: (_old, data) => {
      storeMe(data)
      return data
    },
    event: (_old, data) => {
      storeMe(data)
      return data
    },
  },
  bookings: { snapshot: takeList, event: changeList },
  requests: { snapshot: (_old, data) => data, event: (old, data) => changeRequests(old, data) },
  booking: { snapshot: takeBooking, event: takeBooking },
  fleet: { snapshot: (_old, state) => unpackFleet(state), event: changeFleet },
  office: { snapshot: (_old, news) => news, event: (_old, news) => news },
  tracking: { snapshot: (_old, data) => data, event: latestPoint },
}

function changeRequests(old: LiveSnapshots['requests'] | undefined, change: ListChange) {
  return 'put' in change
    ? upsertView(old ?? [], change.put)
    : (old ?? []).filter(({ id }) => id !== change.remove)
}
