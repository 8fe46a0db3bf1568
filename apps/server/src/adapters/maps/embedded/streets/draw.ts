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

/** Appends all vertices of the edges, each in the direction of its step. */
export function drawSteps(
  { vertexStart, vertexX, vertexY }: Network,
  line: LatLng[],
  steps: readonly number[],
): void {
  const [beginning] = steps
  if (beginning === undefined) return
  const tail =
    beginning % 2 === 0 ? vertexStart[beginning >> 1] : (vertexStart[(beginning >> 1) + 1] as number) - 1
  appendPoint(line, toLatLng(vertexX[tail as number] as number, vertexY[tail as number] as number))
  let end = line.length
  // Grows once: a route of a thousand vertices is drawn in half the time.
  line.length += steps.reduce(
    (sum, step) => sum + (vertexStart[(step >> 1) + 1] as number) - (vertexStart[step >> 1] as number) - 1,
    0,
  )
  for (const step of steps) {
    const first = vertexStart[step >> 1] as number
    const last = (vertexStart[(step >> 1) + 1] as number) - 1
    const move = step % 2 === 0 ? 1 : -1
    let at = move === 1 ? first : last
    for (let left = last - first; left > 0; left--) {
      at += move
      line[end++] = toLatLng(vertexX[at] as number, vertexY[at] as number)
    }
  }
}

export function appendPoint(line: LatLng[], point: LatLng): void {
  const last = line.at(-1)
  if (!last || last.lat !== point.lat || last.lng !== point.lng) line.push(point)
}
