import type { ServerFrame } from '@hansom/contract/live'
import type { Page } from 'playwright-core'

type Counted = Extract<ServerFrame, { t: 'snap' | 'ev' | 'live' }>

/** The frames a page receives on its live connections. */
export interface LiveFrames {
  /** Number of connections opened. */
  connections(): number
  /** The statuses in one booking's events, in the order received. */
  statuses(bookingId: string): string[]
  /** Gaps in the sequence numbers of one booking's topic; a snapshot starts over. */
  gaps(bookingId: string): string[]
}

/** Records frames from now on. */
export function recordLiveFrames(page: Page): LiveFrames {
  const received: Counted[] = []
  let lines = 0
  page.on('websocket', (socket) => {
    lines += 1
    socket.on('framereceived', ({ payload }) => {
      const frame = JSON.parse(String(payload)) as ServerFrame
      if (frame.t === 'snap' || frame.t === 'ev' || frame.t === 'live') received.push(frame)
    })
  })
  const of = (bookingId: string) => received.filter(({ topic }) => topic === `booking:${bookingId}`)
  return {
    connections: () => lines,
    statuses: (bookingId) =>
      of(bookingId).flatMap((frame) =>
        frame.t === 'live' ? [] : [(frame.data as { status: string }).status],
      ),
    gaps: (bookingId) => {
      const gaps: string[] = []
      let last: Counted | undefined
      for (const frame of of(bookingId)) {
        const follows = last && last.epoch === frame.epoch && frame.seq <= last.seq + 1
        if (frame.t === 'ev' && last && !follows) gaps.push(`${last.seq} then ${frame.seq}`)
        if (frame.t !== 'live') last = frame
      }
      return gaps
    },
  }
}
