import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clusterPoints } from './cluster.tsx'

const limit = 200

const city = (count: number, spread: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    lat: -34.9 + ((index * 37) % 100) * spread,
    lng: -56.17 + ((index * 61) % 100) * spread,
  }))

describe('gather', () => {
  it('few points -> all single, however close', () => {
    const gathered = clusterPoints(city(limit, 0), 10, limit)
    expect(gathered).toHaveLength(limit)
    expect(gathered.every(({ members }) => members.length === 1)).toBe(true)
  })

  it('lower limit -> clusters close points, leaves distant ones single', () => {
    const close = [0, 1, 2].map((index) => ({ id: `c${index}`, lat: -34.9, lng: -56.17 + index * 0.0005 }))
    const apart = { id: 'a', lat: -34.88, lng: -56.1 }
    const sizes = (alone: number) =>
      clusterPoints([...close, apart], 12, alone).map(({ members }) => members.length)
    expect(sizes(3).sort()).toEqual([1, 3])
    expect(sizes(4)).toEqual([1, 1, 1, 1])
  })

  it('many close points -> clusters', () => {
    expect(clusterPoints(city(limit + 1, 0.0005), 10, limit).length).toBeLessThan(20)
  })

  it('higher zoom -> more clusters', () => {
    const points = city(2000, 0.002)
    const at = (zoom: number) => clusterPoints(points, zoom, limit).length
    expect(at(10)).toBeLessThan(at(12))
    expect(at(12)).toBeLessThan(at(14))
  })

  it('any zoom -> each point exactly once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.double({ min: -0.3, max: 0.3, noNaN: true }),
            fc.double({ min: -0.3, max: 0.3, noNaN: true }),
          ),
          {
            minLength: limit,
            maxLength: 400,
          },
        ),
        fc.double({ min: 9, max: 18, noNaN: true }),
        (places, zoom) => {
          const points = places.map(([lat, lng], index) => ({
            id: String(index),
            lat: lat - 34.9,
            lng: lng - 56.2,
          }))
          const gathered = clusterPoints(points, zoom, limit)
          expect(gathered.flatMap(({ members }) => members.map(({ id }) => id)).sort()).toEqual(
            points.map(({ id }) => id).sort(),
          )
          expect(new Set(gathered.map(({ key }) => key)).size).toBe(gathered.length)
        },
      ),
      { numRuns: 40 },
    )
  })
})
