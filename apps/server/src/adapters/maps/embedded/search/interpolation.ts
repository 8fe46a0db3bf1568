import type { SourceFeature } from '../source/map-source.ts'
import { metresBetween } from '../world.ts'
import type { AddressPoint } from './collect.ts'

/** A house number that an interpolation line implies. */
export interface ImpliedNumber {
  /** The line's id. */
  id: string
  number: number
  street: string
  x: number
  y: number
}

const mostBetween = 500
const wholeNumber = /^\d{1,5}$/
const position = (x: number, y: number) => `${x},${y}`

/**
 * The numbers between the numbered vertices of lines with `addr:interpolation` (`all`, `even`, `odd` or a step), evenly
 * spaced along the line; https://wiki.openstreetmap.org/wiki/Key:addr:interpolation. Alphabetic lines are ignored.
 */
export function impliedNumbers(
  lines: readonly SourceFeature[],
  addresses: readonly AddressPoint[],
): ImpliedNumber[] {
  const vertices = new Set<string>()
  for (const { rings } of lines)
    for (const ring of rings)
      for (let i = 0; i < ring.length; i += 2)
        vertices.add(position(ring[i] as number, ring[i + 1] as number))
  if (vertices.size === 0) return []
  const addressAt = new Map<string, AddressPoint>()
  for (const address of addresses) {
    const key = position(address.x, address.y)
    if (vertices.has(key) && wholeNumber.test(address.tags['addr:housenumber'] ?? ''))
      addressAt.set(key, address)
  }
  return lines.flatMap((line) => line.rings.flatMap((ring) => alongRing(line, ring, addressAt)))
}

function alongRing(
  { id, tags }: SourceFeature,
  ring: number[],
  addressAt: ReadonlyMap<string, AddressPoint>,
): ImpliedNumber[] {
  const kind = tags['addr:interpolation'] ?? ''
  const step = kind === 'all' ? 1 : kind === 'even' || kind === 'odd' ? 2 : Number(kind)
  if (!Number.isInteger(step) || step < 1) return []
  const found: ImpliedNumber[] = []
  let from: { vertex: number; address: AddressPoint } | null = null
  for (let vertex = 0; vertex * 2 < ring.length; vertex++) {
    const address = addressAt.get(position(ring[vertex * 2] as number, ring[vertex * 2 + 1] as number))
    if (!address) continue
    const street = tags['addr:street'] ?? address.tags['addr:street'] ?? from?.address.tags['addr:street']
    if (from && street) {
      const part = ring.slice(from.vertex * 2, vertex * 2 + 2)
      const [first, last] = [from.address, address].map((one) => Number(one.tags['addr:housenumber'])) as [
        number,
        number,
      ]
      for (const one of between(first, last, step)) {
        found.push({ id, number: one, street, ...pointAlong(part, (one - first) / (last - first)) })
      }
    }
    from = { vertex, address }
  }
  return found
}

function between(first: number, last: number, step: number): number[] {
  const [low, high] = [Math.min(first, last), Math.max(first, last)]
  const found: number[] = []
  for (let number = low + step; number < high && found.length < mostBetween; number += step)
    found.push(number)
  return found
}

/** The point at a share of a line's length. */
function pointAlong(line: number[], share: number): { x: number; y: number } {
  const lengths: number[] = []
  for (let i = 2; i < line.length; i += 2) {
    const [ax, ay, bx, by] = line.slice(i - 2, i + 2) as [number, number, number, number]
    lengths.push(metresBetween(ax, ay, bx, by))
  }
  let rest = lengths.reduce((sum, length) => sum + length, 0) * share
  for (const [side, length] of lengths.entries()) {
    if (rest <= length || side === lengths.length - 1) {
      const [ax, ay, bx, by] = line.slice(side * 2, side * 2 + 4) as [number, number, number, number]
      const part = length === 0 ? 0 : rest / length
      return { x: Math.round(ax + (bx - ax) * part), y: Math.round(ay + (by - ay) * part) }
    }
    rest -= length
  }
  return { x: line[0] as number, y: line[1] as number }
}
