import { expect, it } from 'vitest'
import { countryFacts, describeRegion } from './describe-region.ts'
import type { MapSource, SourceFeature } from './source/map-source.ts'
import { collectRoads } from './source/qa-tiles.ts'
import { toWorld } from './world.ts'

it.each([
  [
    'a state',
    47.14,
    9.52,
    { countryCode: 'LI', timezone: 'Europe/Vaduz', currency: 'CHF', languages: ['de'] },
  ],
  ['a territory', 22.3, 114.16, { countryCode: 'HK', otherCountries: ['CN'], currency: 'HKD' }],
  ['an island of another state', 19.3, -81.3, { countryCode: 'KY', otherCountries: ['GB'], currency: 'KYD' }],
  ['a part without a code of its own', 28.46, -16.25, { countryCode: 'ES', currency: 'EUR' }],
])('countryFacts: %s -> its own currency', (_, lat, lng, expected) => {
  expect(countryFacts(lat, lng)).toMatchObject(expected)
})

it('countryFacts: at sea -> none', () => {
  expect(countryFacts(-40, -20)).toBeNull()
})

/** A region of one street near a town. */
function source(places: Record<string, string>[]): MapSource {
  const at = (lat: number, lng: number) => {
    const { x, y } = toWorld({ lat, lng })
    return [Math.round(x), Math.round(y)]
  }
  const features: SourceFeature[] = [
    {
      id: 'w1',
      shape: 'line',
      tags: { highway: 'residential' },
      rings: [[...at(42.5, 1.5), ...at(42.51, 1.52)]],
    },
    ...places.map((tags, index): SourceFeature => {
      return { id: `n${index}`, shape: 'point', tags, rings: [at(42.505, 1.51 + index / 1000)] }
    }),
  ]
  const [west = 0, south = 0] = at(42.4, 1.4)
  const [east = 0, north = 0] = at(42.6, 1.6)
  const bounds = { west, south, east, north }
  const points = () => features.filter(({ shape }) => shape === 'point')
  return { features: () => features, points, roads: collectRoads(features), coast: () => [], bounds }
}

it('describeRegion: several settlements -> the center is the largest, its name in its own letters', () => {
  const region = describeRegion(
    'la-massana',
    source([
      { place: 'village', name: 'Erts', population: '9000' },
      { place: 'town', name: 'La Massaná', population: '5 500' },
    ]),
  )
  expect(region).toMatchObject({ id: 'la-massana', name: 'La Massaná', countryCode: 'AD' })
  expect(region.center.lng).toBeCloseTo(1.511, 3)
})

it('describeRegion: no settlement, a dated file name -> the middle of the streets, the name without its date', () => {
  for (const id of ['sant-julia-latest', 'sant-julia-251101']) {
    const region = describeRegion(id, source([]))
    expect(region.name).toBe('Sant Julia')
    expect(region.center.lat).toBeGreaterThan(42.49)
    expect(region.center.lat).toBeLessThan(42.52)
  }
})
