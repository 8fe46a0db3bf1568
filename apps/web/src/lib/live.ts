import { LiveClient, type LiveStatus } from '@hansom/client/live-client'
import { type LiveData, newerView, reducers, type TopicName } from '@hansom/client/live-topics'
import type { BookingRow, BookingView } from '@hansom/contract/bookings'
import type { ListChange, LiveEvents, LiveSnapshots, LiveTopicKind } from '@hansom/contract/live'
import { toListed } from '@hansom/domain/deliveries/listed-delivery'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { orpc } from './api.ts'
import { serverNow, setServerClock } from './clock.ts'
import { firstDataAt, initialTopics } from './initial-topics.ts'
import { queryClient } from './query-client.ts'
import { handleSessionEnd, onSessionChange, storeMe } from './session.ts'
import { useDeviceOffline } from './use-device-offline.ts'

/** The page's live connection. */
export const live = new LiveClient({
  open: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/live`),
  clock: ({ now, speed }) => setServerClock(now, speed),
  // Waits a second, so that a session that replaces the ended one has its cookie.
  sessionEnded: (reason) =>
    setTimeout(
      () =>
        void handleSessionEnd(reason)
          .catch(() => {})
          .finally(() => live.restart()),
      1000,
    ),
})

interface Page {
  items: BookingRow[]
  next: string | null
}

/** Query key prefix of the admin bookings table. */
const adminTable = ['table', 'bookings', 'rows']

const newerRow = (old: BookingRow, view: BookingView): BookingRow =>
  old.version > view.version ? old : { ...old, ...view, delivery: toListed(view.delivery) }

function inPage(page: Page, id: string, change: (row: BookingRow) => BookingRow): Page {
  if (!page.items.some((row) => row.id === id)) return page
  return { ...page, items: page.items.map((row) => (row.id === id ? change(row) : row)) }
}

/** Changes a booking's row in every list. What stays equal keeps its identity in the cache. */
function changeRows(
  queryKeys: readonly unknown[][],
  id: string,
  change: (row: BookingRow) => BookingRow,
): void {
  for (const queryKey of queryKeys) {
    queryClient.setQueriesData<Page | { pages: Page[]; pageParams: unknown[] }>({ queryKey }, (old) => {
      if (!old) return old
      if ('pages' in old) return { ...old, pages: old.pages.map((page) => inPage(page, id, change)) }
      return inPage(old, id, change)
    })
  }
}

/** Updates every cached copy of a booking: the booking itself and all lists. Call it with command responses too. */
export function storeBooking(view: BookingView): void {
  queryClient.setQueryData(orpc.bookings.get.queryKey({ input: { id: view.id } }), (old) =>
    newerView(old, view),
  )
  changeRows([orpc.bookings.list.key(), adminTable], view.id, (old) => newerRow(old, view))
}

/** Stores how many messages of a booking the user has not read, in every list of their bookings. */
export function storeUnread(booking: string, unread_messages: number): void {
  changeRows([orpc.bookings.list.key()], booking, (old) => ({ ...old, unread_messages }))
}

type Received<Kind extends LiveTopicKind> = LiveSnapshots[Kind] | LiveEvents[Kind]

/** Stores the data of a topic in the query cache. */
const caches: { [Kind in LiveTopicKind]?: (data: Received<Kind>) => void } = {
  user: storeMe,
  booking: storeBooking,
  bookings: (data) => {
    if (Array.isArray(data)) data.forEach(storeBooking)
    else if ('put' in data) storeBooking(data.put)
  },
}

/** Copies a snapshot or an event into the query cache. */
export function cacheLive<Kind extends LiveTopicKind>(kind: Kind, data: Received<Kind>): void {
  caches[kind]?.(data)
}

/** Data of every subscribed topic, by name; a further subscriber starts with it. */
const known = new Map<string, unknown>()

/** The data of subscribed topics by name, to start a later page with. Those about other people's work are left out. */
export function knownTopics(): Record<string, unknown> {
  return Object.fromEntries(
    [...known].filter(([name]) => /^(bookings|requests|booking:|tracking:|chat:)/.test(name)),
  )
}

onSessionChange(() => {
  initialTopics.clear()
  known.clear()
  live.restart()
})
addEventListener('online', live.retryNow)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') live.retryNow()
})

export interface LiveTopic<Kind extends LiveTopicKind> {
  data: LiveData[Kind] | undefined
  /** All events up to now have arrived; false while reconnecting. */
  current: boolean
  /** Error key, if the topic was refused or withdrawn. */
  error: string | null
}

interface Listening<Kind extends LiveTopicKind> {
  /** Called for every numbered event, after the data has changed. */
  onEvent?: (event: LiveEvents[Kind]) => void
}

/**
 * Subscribes to a live topic while the component is mounted: its data, kept up to date, and whether it is current.
 * `ref` is the booking's id for the topics about one; null or undefined subscribes to nothing.
 */
export function useLive<Kind extends LiveTopicKind>(
  kind: Kind,
  ref?: string | null,
  { onEvent }: Listening<Kind> = {},
): LiveTopic<Kind> {
  const needsRef = ['booking', 'tracking', 'chat', 'safety'].includes(kind)
  const name = (needsRef ? (ref ? `${kind}:${ref}` : null) : kind) as TopicName | null
  const [state, setState] = useState<LiveTopic<Kind> & { name: string | null }>(() => ({
    name,
    data: alreadyKnown(kind, name),
    current: false,
    error: null,
  }))
  const notify = useRef(onEvent)
  notify.current = onEvent
  const shown = useRef(state)
  shown.current = state

  useEffect(() => {
    if (name === null) return
    // Keeps the shown data even if the topic's last other subscriber unmounts in the same commit.
    let data = shown.current.name === name ? (shown.current.data as LiveData[Kind]) : alreadyKnown(kind, name)
    let current = false
    const reduce = reducers[kind]
    const show = (error: string | null = null) => setState({ name, data, current, error })
    show()
    const take = (event: unknown) => {
      cacheLive(kind, event as LiveEvents[Kind])
      data = reduce.event(data, event as LiveEvents[Kind])
      // Not before the snapshot: earlier data may belong to another session.
      if (known.has(name)) known.set(name, data)
      show()
    }
    const stop = live.subscribe(name, {
      snapshot: (snapshot) => {
        initialTopics.delete(name)
        cacheLive(kind, snapshot as LiveSnapshots[Kind])
        data = reduce.snapshot(data, snapshot as LiveSnapshots[Kind])
        known.set(name, data)
        show()
      },
      event: (event) => {
        take(event)
        notify.current?.(event as LiveEvents[Kind])
      },
      volatile: take,
      current: (isCurrent) => {
        current = isCurrent
        show()
      },
      refused: (error) => {
        current = false
        known.delete(name)
        show(error)
      },
    })
    return () => {
      stop()
      if (!live.isSubscribed(name)) known.delete(name)
    }
  }, [kind, name])

  // Never shows another topic's data, not even for a frame.
  return state.name === name ? state : { data: undefined, current: false, error: null }
}

/** Data from another subscriber of the topic, or from the page's initial snapshots. */
function alreadyKnown<Kind extends LiveTopicKind>(
  kind: Kind,
  name: string | null,
): LiveData[Kind] | undefined {
  if (name === null) return undefined
  if (known.has(name)) return known.get(name) as LiveData[Kind]
  const sent = initialTopics.get(name) as LiveSnapshots[Kind] | undefined
  if (sent === undefined) return undefined
  cacheLive(kind, sent)
  return reducers[kind].snapshot(undefined, sent)
}

/** Status of the live connection; `reconnecting` should be shown to the user. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(live.onStatus, () => live.status)
}

/** The connection state shown to the user. */
export function useConnection(): 'offline' | 'reconnecting' | 'good' {
  const status = useLiveStatus()
  const offline = useDeviceOffline()
  if (offline) return 'offline'
  return status === 'reconnecting' ? 'reconnecting' : 'good'
}

/**
 * The server's time up to which the page knows everything; null while it is connected, and before its first connection
 * unless an earlier page stored its data.
 */
export function useLastUpdate(): number | null {
  const isLive = useLiveStatus() === 'live'
  const [at, setAt] = useState(firstDataAt)
  const wasLive = useRef(false)
  useEffect(() => {
    if (isLive) setAt(null)
    else if (wasLive.current) setAt(serverNow())
    wasLive.current = isLive
  }, [isLive])
  return at
}

/** True if a list change removes an item and says why. */
export function isRemoval(change: ListChange): change is Extract<ListChange, { remove: string }> {
  return 'remove' in change
}
