import type { DropTable, TimeWindow } from './stop-times.ts'

const minute = 60_000
const departure = Date.UTC(2026, 5, 3, 11)
const serviceS = 180
const squareM = 15_000

/** How the windows of a random booking are chosen. */
const kinds = ['kept by a tour', '30 minutes', 'over the day', 'too early', 'none'] as const

/**
 * A booking in a city: places in a square of 15 km, streets 1.2 to 1.6 times as long as the straight line and different
 * in each direction, windows of 30 to 120 minutes for half of the drops. By seed, there is a tour that keeps them (some
 * with 30 minutes only), they are spread over the day, they are so early that several must be missed, or there are none.
 */
export function randomDrops(drops: number, seed: number): DropTable {
  const random = randomSource(seed * 7919 + drops)
  const kind = kinds[Math.floor(random() * kinds.length)]
  const places = Array.from({ length: drops + 1 }, () => ({ x: random() * squareM, y: random() * squareM }))
  const drivingS = places.map((from) =>
    places.map((to) =>
      from === to ? 0 : 30 + (Math.hypot(from.x - to.x, from.y - to.y) * (1.2 + random() * 0.4)) / 8,
    ),
  )
  const { arrivals, end } = tour(drivingS, random)
  const windows = arrivals.map((arrival, at): TimeWindow | null => {
    const length = kind === '30 minutes' ? 30 * minute : Math.round((30 + random() * 90) * minute)
    const part = random()
    if (kind === 'none' || at % 2 > 0) return null
    const start =
      kind === 'over the day'
        ? part * end
        : kind === 'too early'
          ? part * 0.4 * end - length
          : arrival - part * length
    const from = departure + Math.round(start)
    return { from, to: from + length }
  })
  return { drivingS, departure, serviceS, windows }
}

/** Arrivals in ms from the departure of a tour that goes on to one of the two nearest drops, and its end. */
function tour(drivingS: readonly (readonly number[])[], random: () => number) {
  const arrivals: number[] = []
  const left = new Set(drivingS.keys())
  left.delete(0)
  let last = 0
  let now = 0
  while (left.size > 0) {
    const row = drivingS[last] ?? []
    const nearest = [...left].sort((a, b) => (row[a] ?? 0) - (row[b] ?? 0))
    const drop = nearest[Math.min(nearest.length - 1, Math.floor(random() * 2))] as number
    now += (row[drop] ?? 0) * 1000
    arrivals[drop - 1] = now
    now += serviceS * 1000
    left.delete(drop)
    last = drop
  }
  return { arrivals, end: now }
}

/** Mulberry32: the same bookings in every run. */
function randomSource(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
