import { useEffect, useState } from 'react'

let serverAt = Date.now()
let heardAt = performance.now()
let rate = 1

/**
 * Sets the server's clock: `now` epoch ms as heard at `at` (on `performance.now()`'s scale), `speed` above 1 only on a
 * demo whose time is sped up.
 */
export function setServerClock(now: number, speed: number, at = performance.now()): void {
  serverAt = now
  heardAt = at
  rate = speed
}

/** Epoch ms on the server's clock, whole; the device's clock until the server has been heard. */
export function serverNow(): number {
  return Math.round(serverAt + (performance.now() - heardAt) * rate)
}

/** How many seconds pass on the server's clock in one real second. */
export function serverSpeed(): number {
  return rate
}

/** The server's time, renewed every `everyMs` of real time while the component is shown. */
export function useServerNow(everyMs = 1000): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** The device's own time, epoch ms, renewed every `everyMs` while the component is shown: for ages of what it holds. */
export function useDeviceNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
