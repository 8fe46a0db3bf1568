import type { ListChange, LiveEvents, LiveSnapshots, LiveTopicKind } from '@hansom/contract/live'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { setServerClock } from './clock.ts'
import { useDeviceOffline } from './device-line.ts'
import { firstTopics } from './first-topics.ts'
import { LiveClient, type LiveStatus } from './live-client.ts'
import { type LiveData, reducers } from './live-topics.ts'
import { followSessionEnd, onSessionChange } from './session.ts'

/** The page's one line to the server. */
export const live = new LiveClient({
  open: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/live`),
  clock: ({ now, speed }) => setServerClock(now, speed),
  // A second later: a session that takes its place has its cookie by then.
  sessionEnded: (why) =>
    setTimeout(
      () =>
        void followSessionEnd(why)
          .catch(() => {})
          .finally(() => live.restart()),
      1000,
    ),
})

/** What is known of each topic that is followed, by its name: another follower begins with it. */
const known = new Map<string, unknown>()

onSessionChange(() => {
  firstTopics.clear()
  known.clear()
  live.restart()
})
addEventListener('online', live.retryNow)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') live.retryNow()
})

export interface LiveTopic<Kind extends LiveTopicKind> {
  data: LiveData[Kind] | undefined
  /** Everything up to now has been heard; false while the line is being restored. */
  current: boolean
  /** The topic was refused or withdrawn: an error key. */
  error: string | null
}

interface Listening<Kind extends LiveTopicKind> {
  /** Called for every numbered event, after the data has changed. */
  onEvent?: (event: LiveEvents[Kind]) => void
}

/**
 * Follows a live topic while the component is shown: its data, kept up to date, and whether it is current.
 * `ref` is the booking's id for `booking` and `tracking`; null or undefined there listens to nothing.
 */
export function useLive<Kind extends LiveTopicKind>(
  kind: Kind,
  ref?: string | null,
  { onEvent }: Listening<Kind> = {},
): LiveTopic<Kind> {
  const needsRef = kind === 'booking' || kind === 'tracking'
  const name = needsRef ? (ref ? `${kind}:${ref}` : null) : kind
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
    // What is shown stays, also where the last one to follow the topic leaves in the same moment.
    let data = shown.current.name === name ? (shown.current.data as LiveData[Kind]) : alreadyKnown(kind, name)
    let current = false
    const reduce = reducers[kind]
    const show = (error: string | null = null) => setState({ name, data, current, error })
    show()
    const take = (event: unknown) => {
      data = reduce.event(data, event as LiveEvents[Kind])
      // Not before the snapshot: what is here then may be of another session.
      if (known.has(name)) known.set(name, data)
      show()
    }
    const stop = live.subscribe(name, {
      snapshot: (snapshot) => {
        firstTopics.delete(name)
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
      if (!live.follows(name)) known.delete(name)
    }
  }, [kind, name])

  // Another topic's data must not flash for a frame.
  return state.name === name ? state : { data: undefined, current: false, error: null }
}

/** What another follower of the topic has heard, or else what came with the page. */
function alreadyKnown<Kind extends LiveTopicKind>(
  kind: Kind,
  name: string | null,
): LiveData[Kind] | undefined {
  if (name === null) return undefined
  if (known.has(name)) return known.get(name) as LiveData[Kind]
  const sent = firstTopics.get(name)
  return sent === undefined ? undefined : reducers[kind].snapshot(undefined, sent as LiveSnapshots[Kind])
}

/** The state of the line: `reconnecting` is what people should be told. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(live.onStatus, () => live.status)
}

/** What people are told of the connection: the device is offline, the server cannot be reached, or nothing. */
export function useConnection(): 'offline' | 'reconnecting' | 'good' {
  const status = useLiveStatus()
  const offline = useDeviceOffline()
  if (offline) return 'offline'
  return status === 'reconnecting' ? 'reconnecting' : 'good'
}

/** True when a list change says that an item left, and why. */
export function leftList(change: ListChange): change is Extract<ListChange, { remove: string }> {
  return 'remove' in change
}
