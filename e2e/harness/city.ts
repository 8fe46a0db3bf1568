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

const stepKm = 0.045
/** 45 m a second are 162 km/h: quick for a test, and still what a server may believe of a car. */
const stepMs = 1_000

/** Drives a device along a way, from `share` of it to another (0 to 1). The pauses are the driving itself. */
export async function drive(
  device: BrowserContext,
  way: readonly LatLng[],
  { from = 0, to = 1 }: { from?: number; to?: number } = {},
): Promise<void> {
  const length = pathKm(way)
  const steps = Math.max(1, Math.ceil(((to - from) * length) / stepKm))
  for (let step = 1; step <= steps; step += 1) {
    const { lat, lng } = pointAlong(way, length * (from + ((to - from) * step) / steps))
    await device.setGeolocation({ latitude: lat, longitude: lng, accuracy: 5 })
    await wait(stepMs)
  }
}
