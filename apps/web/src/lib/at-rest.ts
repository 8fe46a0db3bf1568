import { useEffect, useState } from 'react'

/** Calls `start` when the page has nothing to do, or after so long; answers with what takes it back. */
function whenIdle(start: () => void, timeout: number): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(start, 200)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(start, { timeout })
  return () => cancelIdleCallback(idle)
}

/** True once the page is drawn and has nothing to do: for what is heavy and not read first. */
export function useAtRest(): boolean {
  const [atRest, setAtRest] = useState(false)
  useEffect(() => whenIdle(() => setAtRest(true), 1_500), [])
  return atRest
}

const gestures = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'focusin'] as const
/** A device that needs longer than this for its first page, ms, is one that heavy work would hold up. */
const slowMs = 250
/** Somebody who has touched nothing for so long, ms, reads, and is not held up. */
const unhurriedMs = 8_000

/**
 * True once somebody begins to use the page, so that heavy work on a slow device does not come between: at the first
 * gesture, or after a while without one. A quick device does not wait for either.
 */
export function useBegun(): boolean {
  const [begun, setBegun] = useState(false)
  useEffect(() => {
    const start = () => setBegun(true)
    const isQuick = firstPageMs() < slowMs
    const leave = isQuick ? whenIdle(start, 1_500) : null
    const timer = setTimeout(start, unhurriedMs)
    for (const gesture of gestures) addEventListener(gesture, start, { once: true, passive: true })
    return () => {
      leave?.()
      clearTimeout(timer)
      for (const gesture of gestures) removeEventListener(gesture, start)
    }
  }, [])
  return begun
}

let firstPage: number | undefined

/** How long this device worked for its first page, ms: from the start of the code until it was drawn. */
function firstPageMs(): number {
  const [started] = performance.getEntriesByName(startMark)
  firstPage ??= started ? performance.now() - started.startTime : 0
  return firstPage
}

/** Set when the page's code starts. */
export const startMark = 'hansom-start'
