import type { LatLng } from '@hansom/domain/geo/point'
import { pathKm, pointAlong } from '@hansom/domain/geo/path'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import type { BrowserContext } from 'playwright-core'
import { setTimeout as wait } from 'node:timers/promises'

/** A place of the city by its name; the first that the search proposes. */
export async function findPlace(url: string, name: string): Promise<LatLng> {
  const answer = await fetch(`${url}/api/v1/places?${new URLSearchParams({ q: name, limit: '1' })}`)
  const [found] = (await answer.json()) as LatLng[]
  if (!found) throw new Error(`There is no ${name}`)
  return { lat: found.lat, lng: found.lng }
}

/** The way along the streets between two points. */
export async function findWay(url: string, from: LatLng, to: LatLng): Promise<LatLng[]> {
  const answer = await fetch(`${url}/api/v1/route`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ points: [from, to] }),
  })
  if (!answer.ok) throw new Error(`No way: ${await answer.text()}`)
  return decodePolyline(((await answer.json()) as { polyline: string }).polyline)
}

const stepMs = 1_000
/** Well within the time after which a silent receiver counts as lost. */
const standingMs = 4_000
/** 45 m a second are 162 km/h: quick for a test, and still what a server may believe of a car. */
const stepKm = 0.045

/** The receiver of a device: it says where the device is, over and over, also while that stands still. */
export interface Receiver {
  /**
   * Drives along a way, from `share` of it to another (0 to 1). The pauses are the driving itself: where the city's
   * time runs `speed` times as fast, so do its cars.
   */
  drive(way: readonly LatLng[], stretch: { from?: number; to?: number; speed?: number }): Promise<void>
  off(): void
}

/** Turns a device's receiver on. A browser's own says nothing after the first word until it is moved: no phone's does. */
export function switchOn(device: BrowserContext, at: LatLng): Receiver {
  let place = at
  const tell = () =>
    device.setGeolocation({ latitude: place.lat, longitude: place.lng, accuracy: 5 }).catch(() => {})
  const timer = setInterval(tell, standingMs)
  return {
    drive: async (way, { from = 0, to = 1, speed = 1 }) => {
      const length = pathKm(way)
      const steps = Math.max(1, Math.ceil(((to - from) * length) / (stepKm * speed)))
      for (let step = 1; step <= steps; step += 1) {
        place = pointAlong(way, length * (from + ((to - from) * step) / steps))
        await tell()
        await wait(stepMs)
      }
    },
    off: () => clearInterval(timer),
  }
}
