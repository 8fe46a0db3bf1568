import { ServerClock } from '@hansom/client/server-clock'
import { useEffect, useState } from 'react'

const clock = new ServerClock()

/**
 * Sets the server's clock. `now`: server time in epoch ms, received at `at` on the scale of `performance.now()`.
 * `speed`: above 1 only on a demo with accelerated time.
 */
export function setServerClock(now: number, speed: number, at?: number): void {
  clock.set(now, speed, at)
}

/** The server's time in integer epoch ms; the device's clock until the server's is known. */
export function serverNow(): number {
  return clock.now()
}

/** Seconds on the server's clock per real second. */
export function serverSpeed(): number {
  return clock.speed
}

/** The server's time, updated every `everyMs` of real time while the component is mounted. */
export function useServerNow(everyMs = 1000): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/**
 * The device's time in epoch ms, updated every `everyMs` while the component is mounted. Use it for the age of data
 * stored on the device.
 */
export function useDeviceNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
