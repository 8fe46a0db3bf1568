import { useEffect, useState } from 'react'

/** Calls `start` when the browser is idle, or after `timeout` ms at the latest. Returns a function that cancels it. */
function whenIdle(start: () => void, timeout: number): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(start, 200)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(start, { timeout })
  return () => cancelIdleCallback(idle)
}

/** True once the page is drawn and the browser is idle. Use it to defer heavy content below the fold. */
export function useIdle(): boolean {
  const [atRest, setAtRest] = useState(false)
  useEffect(() => whenIdle(() => setAtRest(true), 1_500), [])
  return atRest
}

const gestures = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'focusin'] as const
/**
 * A device that takes longer than this for its first page counts as slow, ms. Where the first page took 37, 80 and
 * 205 ms (one machine, its CPU slowed down 1, 2 and 4 times), the map's start blocked the page for about 150, 200 and
 * 400 ms; more than 200 ms would be felt.
 */
const slowMs = 80
/** Starts heavy work on a slow device after this time without interaction, ms. */
const fallbackMs = 8_000

/**
 * Calls `start` once heavy work may start. On a slow device that is the first interaction or `fallbackMs`, so that the
 * work does not delay the first input; on a fast device, the first idle time. Returns a function that cancels it.
 */
export function whenInteracted(start: () => void): () => void {
  const leave = firstPageMs() < slowMs ? whenIdle(start, 1_500) : null
  const timer = setTimeout(start, fallbackMs)
  for (const gesture of gestures) addEventListener(gesture, start, { once: true, passive: true })
  return () => {
    leave?.()
    clearTimeout(timer)
    for (const gesture of gestures) removeEventListener(gesture, start)
  }
}

/** True once heavy work may start; see `whenInteracted`. */
export function useInteracted(): boolean {
  const [begun, setBegun] = useState(false)
  useEffect(() => whenInteracted(() => setBegun(true)), [])
  return begun
}

let firstPage: number | undefined

/** Time this device took for its first page, from the start of the script to the first render, ms. */
function firstPageMs(): number {
  const [started] = performance.getEntriesByName(startMark)
  firstPage ??= started ? performance.now() - started.startTime : 0
  return firstPage
}

/** Performance mark set when the app's script starts. */
export const startMark = 'hansom-start'
