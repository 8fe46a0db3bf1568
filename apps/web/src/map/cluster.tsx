import type { LatLng } from '@hansom/domain/geo/point'
import { memo, useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useFormat } from '../lib/format.ts'
import { boundsAround } from './camera.ts'
import classes from './fleet-map.module.css'
import { useMarker } from './map-renderer.ts'

/**
 * Marker with the size of a cluster; a click zooms in until its points are apart. `free` is the number of free cars in it:
 * a cluster without any looks different.
 */
export const ClusterMarker = memo(function ClusterMarker<P extends LatLng>({
  heap,
  label,
  free = heap.members.length,
}: {
  heap: Cluster<P>
  label: string
  free?: number
}) {
  const format = useFormat()
  const { marker, element, map } = useMarker(heap, {})
  const count = heap.members.length
  useEffect(() => {
    marker.setLngLat([heap.lng, heap.lat])
  }, [marker, heap.lat, heap.lng])
  const open = () => {
    const bounds = boundsAround(heap.members)
    if (!map || !bounds) return
    const fitting = map.cameraForBounds(bounds, { padding: 72 })?.zoom ?? 0
    const zoom = Math.min(Math.max(fitting, map.getZoom() + 1), closestOpened)
    map.flyTo({ center: [heap.lng, heap.lat], zoom, duration: 600 }, { originalEvent: 'open' })
  }
  return createPortal(
    // Keyboard users have the list next to the map instead.
    <button
      type="button"
      tabIndex={-1}
      className={classes.heap}
      data-busy={free === 0 || undefined}
      style={{ '--heap': `${Math.min(64, 34 + Math.log10(count) * 12)}px` } as React.CSSProperties}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation()
        open()
      }}
    >
      {format.number(count)}
    </button>,
    element,
  )
}, isSameCluster)

/** Cars move all the time; a cluster is drawn again only if it looks different. */
function isSameCluster(
  before: { heap: Cluster<LatLng>; label: string },
  after: { heap: Cluster<LatLng>; label: string },
): boolean {
  const { heap, label } = before
  return label === after.label && heap.lat === after.heap.lat && heap.lng === after.heap.lng
}

/** A cluster of nearby points, or a single point. */
export interface Cluster<P> extends LatLng {
  /** Stable as long as the members are the same. */
  key: string
  members: P[]
}

/** From this zoom on, streets are wide enough to show single cars. */
export const streetZoom = 15.5
/** A click on a cluster does not come closer than this zoom. */
const closestOpened = 17
/** Side of a grid square whose points form a cluster, px. */
const squarePx = 76
/** Width of the world at zoom 0, px. */
const worldPx = 512

/** Clusters closer than this are merged, px. */
const minDistancePx = 50

interface Group<P> {
  square: string
  /** Position in the map projection, px. */
  x: number
  y: number
  members: P[]
}

/**
 * Clusters points for a map zoom. More than `alone` points are grouped by squares of a fixed screen size, and groups
 * that would still overlap are merged. The grid does not move with the map. Its duration grows with the square of the
 * number of groups, so give it the points in view only. Pure.
 */
export function clusterPoints<P extends LatLng & { id: string }>(
  points: readonly P[],
  zoom: number,
  alone: number,
): Cluster<P>[] {
  const single = (point: P): Cluster<P> => ({
    key: point.id,
    lat: point.lat,
    lng: point.lng,
    members: [point],
  })
  if (points.length <= alone) return points.map(single)
  const level = Math.round(zoom * 2) / 2
  return mergeOverlapping(groupBySquare(points, worldPx * 2 ** level)).map(({ square, members }) => {
    const [only] = members
    return only && members.length === 1
      ? single(only)
      : { key: `${level}:${square}`, ...centroid(members), members }
  })
}

/** `across`: width of the world, px. */
function groupBySquare<P extends LatLng>(points: readonly P[], across: number): Group<P>[] {
  const squares = new Map<string, P[]>()
  for (const point of points) {
    const { x, y } = projected(point, across)
    const square = `${Math.floor(x / squarePx)},${Math.floor(y / squarePx)}`
    const members = squares.get(square)
    if (members) members.push(point)
    else squares.set(square, [point])
  }
  return [...squares].map(([square, members]) => ({
    square,
    ...projected(centroid(members), across),
    members,
  }))
}

/** The larger group absorbs those that overlap it. */
function mergeOverlapping<P>(heaps: readonly Group<P>[]): Group<P>[] {
  const kept: Group<P>[] = []
  for (const heap of heaps.toSorted((a, b) => b.members.length - a.members.length)) {
    const near = kept.find(({ x, y }) => Math.hypot(x - heap.x, y - heap.y) < minDistancePx)
    if (near) near.members.push(...heap.members)
    else kept.push(heap)
  }
  return kept
}

/** Projects a point onto a world of the given width in px (Web Mercator). */
function projected({ lat, lng }: LatLng, across: number): { x: number; y: number } {
  const sine = Math.sin((lat * Math.PI) / 180)
  return {
    x: (lng / 360 + 0.5) * across,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * across,
  }
}

function centroid(members: readonly LatLng[]): LatLng {
  const sum = (of: (point: LatLng) => number) => members.reduce((total, point) => total + of(point), 0)
  return { lat: sum(({ lat }) => lat) / members.length, lng: sum(({ lng }) => lng) / members.length }
}
