import type { LatLng } from '@hansom/domain/geo/point'
import { metresBetween, toLatLng } from '../world.ts'
import type { Network } from './network.ts'

/** Appends the vertices of an edge between two positions along it, in meters, in either direction. */
export function drawEdge(
  { vertexStart, vertexX, vertexY }: Network,
  line: LatLng[],
  edge: number,
  fromMetres: number,
  toMetres: number,
): void {
  const first = vertexStart[edge] as number
  const last = (vertexStart[edge + 1] as number) - 1
  const low = Math.min(fromMetres, toMetres)
  const high = Math.max(fromMetres, toMetres)
  const between: LatLng[] = []
  let metres = 0
  for (let at = first; at <= last; at++) {
    const [x, y] = [vertexX[at] as number, vertexY[at] as number]
    if (at > first) metres += metresBetween(vertexX[at - 1] as number, vertexY[at - 1] as number, x, y)
    if (metres >= low && metres <= high) between.push(toLatLng(x, y))
  }
  if (fromMetres > toMetres) between.reverse()
  for (const point of between) appendPoint(line, point)
}

/** Appends all vertices of an edge, in the direction of the step. */
export function drawStep({ vertexStart, vertexX, vertexY }: Network, line: LatLng[], step: number): void {
  const first = vertexStart[step >> 1] as number
  const last = (vertexStart[(step >> 1) + 1] as number) - 1
  const [start, end, move] = step % 2 === 0 ? [first, last, 1] : [last, first, -1]
  appendPoint(line, toLatLng(vertexX[start] as number, vertexY[start] as number))
  for (let at = start; at !== end; ) {
    at += move
    line.push(toLatLng(vertexX[at] as number, vertexY[at] as number))
  }
}

export function appendPoint(line: LatLng[], point: LatLng): void {
  const last = line.at(-1)
  if (!last || last.lat !== point.lat || last.lng !== point.lng) line.push(point)
}
