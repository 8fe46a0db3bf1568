import { setTimeout as wait } from 'node:timers/promises'
import { pathKm, pointAlong } from '@hansom/domain/geo/path'
import type { LatLng } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import type { BrowserContext } from 'playwright-core'

/** The first search result for a place name. */
export async function findPlace(url: string, name: string): Promise<LatLng> {
  const answer = await fetch(`${url}/api/v1/places?${new URLSearchParams({ q: name, limit: '1' })}`)
  const [found] = (await answer.json()) as LatLng[]
  if (!found) throw new Error(`no place found for ${name}`)
  return { lat: found.lat, lng: found.lng }
}

/** The route between two points. */
export async function findRoute(url: string, from: LatLng, to: LatLng): Promise<LatLng[]> {
  const answer = await fetch(`${url}/api/v1/route`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ points: [from, to] }),
  })
  if (!answer.ok) throw new Error(`no route: ${await answer.text()}`)
  return decodePolyline(((await answer.json()) as { polyline: string }).polyline)
}

const stepMs = 1_000
/** Well below the time after which a silent device counts as lost. */
const standingMs = 4_000
/** 45 m a second are 162 km/h: fast for a test, but still plausible for the server. */
const stepKm = 0.045

/** A device's GPS receiver: reports the location continuously, also while standing still. */
export interface Receiver {
  /**
   * Drives along a route, from one share of it to another (0 to 1), in real time. In a city whose time runs `speed`
   * times as fast, the car does, too.
   */
  drive(way: readonly LatLng[], stretch: { from?: number; to?: number; speed?: number }): Promise<void>
  off(): void
}

/** Starts a device's receiver. Chromium's emulation reports a fixed location only once, unlike a phone. */
export function startReceiver(device: BrowserContext, at: LatLng): Receiver {
  let place = at
  const report = () =>
    device.setGeolocation({ latitude: place.lat, longitude: place.lng, accuracy: 5 }).catch(() => {})
  const timer = setInterval(report, standingMs)
  return {
    drive: async (way, { from = 0, to = 1, speed = 1 }) => {
      const length = pathKm(way)
      const steps = Math.max(1, Math.ceil(((to - from) * length) / (stepKm * speed)))
      for (let step = 1; step <= steps; step += 1) {
        place = pointAlong(way, length * (from + ((to - from) * step) / steps))
        await report()
        await wait(stepMs)
      }
    },
    off: () => clearInterval(timer),
  }
}
