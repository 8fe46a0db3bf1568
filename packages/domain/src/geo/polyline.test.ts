import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodePolyline, encodePolyline } from './polyline.ts'

const published = [
  { lat: 38.5, lng: -120.2 },
  { lat: 40.7, lng: -120.95 },
  { lat: 43.252, lng: -126.453 },
]

it('polyline: the published example -> encoded and decoded', () => {
  expect(encodePolyline(published)).toBe('_p~iF~ps|U_ulLnnqC_mqNvxq`@')
  expect(decodePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@')).toEqual(published)
})

it('polyline: any path -> unchanged to five decimals', () => {
  const degrees = (most: number) => fc.integer({ min: -most * 1e5, max: most * 1e5 }).map((n) => n / 1e5)
  const path = fc.array(fc.record({ lat: degrees(90), lng: degrees(180) }))
  fc.assert(
    fc.property(path, (points) => {
      const back = decodePolyline(encodePolyline(points))
      expect(back).toHaveLength(points.length)
      back.forEach((point, index) => {
        expect(point.lat).toBeCloseTo(points[index]?.lat ?? Number.NaN, 6)
        expect(point.lng).toBeCloseTo(points[index]?.lng ?? Number.NaN, 6)
      })
    }),
  )
})

it('polyline: invalid text -> RangeError', () => {
  for (const text of ['_p~iF', '_p~iF~ps|', 'abc def', '\u00e9', '~~~~~~~~~~~~~~~~']) {
    expect(() => decodePolyline(text)).toThrow(RangeError)
  }
})
