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

onSessionChange(() => {
  firstTopics.clear()
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
    data: sentWithPage(kind, name),
    current: false,
    error: null,
  }))
  const notify = useRef(onEvent)
  notify.current = onEvent

  useEffect(() => {
    if (name === null) return
    let data = sentWithPage(kind, name)
    let current = false
    const reduce = reducers[kind]
    const show = (error: string | null = null) => setState({ name, data, current, error })
    show()
    const take = (event: unknown) => {
      data = reduce.event(data, event as LiveEvents[Kind])
      show()
    }
    return live.subscribe(name, {
      snapshot: (snapshot) => {
        firstTopics.delete(name)
        data = reduce.snapshot(data, snapshot as LiveSnapshots[Kind])
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
        show(error)
      },
    })
  }, [kind, name])

  // Another topic's data must not flash for a frame.
  return state.name === name ? state : { data: undefined, current: false, error: null }
}

function sentWithPage<Kind extends LiveTopicKind>(
  kind: Kind,
  name: string | null,
): LiveData[Kind] | undefined {
  const sent = name === null ? undefined : firstTopics.get(name)
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
