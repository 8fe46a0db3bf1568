import { between, pathKm } from '@hansom/domain/geo/path'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { orpc } from '../lib/api.ts'

/** Maximum distance from the planned route at which a position counts as on it. */
const onRouteKm = 0.04
/** Positions closer than this count as equal. */
const stillKm = 0.003

/**
 * The path between two positions: along the planned route if both are on it and the second is further on, otherwise a
 * straight line.
 */
export function pathBetween(from: LatLng, to: LatLng, route: readonly LatLng[]): LatLng[] {
  const straight = [from, to]
  const direct = greatCircleKm(from, to)
  if (route.length < 2 || direct < stillKm) return straight
  const start = nearestOn(route, from, 0)
  const end = start && nearestOn(route, to, start.segment)
  if (!start || !end || start.km > onRouteKm || end.km > onRouteKm) return straight
  const path = [from, ...route.slice(start.segment + 1, end.segment + 1), to]
  return pathKm(path) > 2.5 * direct + onRouteKm ? straight : path
}

/**
 * Splits a route at a position into the parts behind and ahead. If the position is off the route, all of it is ahead.
 */
export function splitAt(
  route: readonly LatLng[],
  position: LatLng | null,
): { behind: LatLng[]; ahead: LatLng[] } {
  const near = position ? nearestOn(route, position, 0) : null
  if (!near || near.km > onRouteKm) return { behind: [], ahead: [...route] }
  return {
    behind: [...route.slice(0, near.segment + 1), near.foot],
    ahead: [near.foot, ...route.slice(near.segment + 1)],
  }
}

interface Nearest {
  segment: number
  foot: LatLng
  km: number
}

/** The first segment of `route`, starting at `fromSegment`, that is nearest to a point. */
function nearestOn(route: readonly LatLng[], point: LatLng, fromSegment: number): Nearest | null {
  let best: Nearest | null = null
  for (let segment = fromSegment; segment + 1 < route.length; segment++) {
    const foot = footOn(route[segment] as LatLng, route[segment + 1] as LatLng, point)
    const km = greatCircleKm(point, foot)
    if (!best || km < best.km) best = { segment, foot, km }
  }
  return best
}

/** Projects a point onto a short segment, in a local plane. */
function footOn(a: LatLng, b: LatLng, point: LatLng): LatLng {
  const east = Math.cos((point.lat * Math.PI) / 180)
  const dx = (b.lng - a.lng) * east
  const dy = b.lat - a.lat
  const length = dx * dx + dy * dy
  if (length === 0) return a
  const share = ((point.lng - a.lng) * east * dx + (point.lat - a.lat) * dy) / length
  return between(a, b, Math.min(1, Math.max(0, share)))
}

/** Requests a new route once the car is off the current one and at least this far from where that one was requested. */
const farEnoughKm = 0.15

/** The route from the car to the pickup; empty while loading, or without a car or pickup. */
export function useApproach(car: LatLng | null, pickup: LatLng | null): LatLng[] {
  const requestedFrom = useRef<LatLng | null>(null)
  const known = useRef<LatLng[]>([])
  if (!car || !pickup) requestedFrom.current = null
  else if (!requestedFrom.current || hasLeft(known.current, car, requestedFrom.current)) {
    requestedFrom.current = { lat: car.lat, lng: car.lng }
  }
  const start = requestedFrom.current
  const { data } = useQuery({
    ...orpc.places.route.queryOptions({
      input: { points: start && pickup ? [start, { lat: pickup.lat, lng: pickup.lng }] : [] },
    }),
    enabled: start !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  })
  const polyline = start ? data?.polyline : undefined
  const route = useMemo(() => (polyline ? decodePolyline(polyline) : []), [polyline])
  known.current = route
  return route
}

function hasLeft(route: readonly LatLng[], car: LatLng, requestedFrom: LatLng): boolean {
  return splitAt(route, car).behind.length === 0 && greatCircleKm(car, requestedFrom) > farEnoughKm
}
