import type { ServerFrame } from '@hansom/contract/live'
import type { Page } from 'playwright-core'

type Counted = Extract<ServerFrame, { t: 'snap' | 'ev' | 'live' }>

/** What a page hears on its live lines. */
export interface LiveFrames {
  /** How many lines it has opened. */
  lines(): number
  /** The events of one booking, in the order in which they came, with the statuses they told. */
  statuses(bookingId: string): string[]
  /** Numbers that one booking's topic left out between what was heard; a snapshot begins anew. */
  gaps(bookingId: string): string[]
}

/** Listens along from now on. */
export function hearLiveFrames(page: Page): LiveFrames {
  const heard: Counted[] = []
  let lines = 0
  page.on('websocket', (socket) => {
    lines += 1
    socket.on('framereceived', ({ payload }) => {
      const frame = JSON.parse(String(payload)) as ServerFrame
      if (frame.t === 'snap' || frame.t === 'ev' || frame.t === 'live') heard.push(frame)
    })
  })
  const of = (bookingId: string) => heard.filter(({ topic }) => topic === `booking:${bookingId}`)
  return {
    lines: () => lines,
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
