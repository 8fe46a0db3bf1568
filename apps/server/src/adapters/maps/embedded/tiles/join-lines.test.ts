import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reversedRing } from '../source/join-rings.ts'
import { joinLines } from './base-map.ts'

describe('joinLines', () => {
  it('exactly two lines meet -> one line', () => {
    expect(
      joinLines(
        [
          [0, 0, 1, 0],
          [1, 0, 2, 0],
          [2, 0, 3, 0],
        ],
        true,
      ),
    ).toEqual([[0, 0, 1, 0, 2, 0, 3, 0]])
  })

  it('three lines meet -> not joined', () => {
    expect(
      joinLines(
        [
          [0, 0, 1, 0],
          [1, 0, 2, 0],
          [1, 0, 1, 1],
        ],
        false,
      ),
    ).toHaveLength(3)
  })

  it('lines end to end -> reversed only if undirected', () => {
    const lines = [
      [0, 0, 1, 0],
      [2, 0, 1, 0],
    ]
    expect(joinLines(lines, false)).toEqual([[0, 0, 1, 0, 2, 0]])
    expect(joinLines(lines, true)).toEqual(lines)
  })

  it('any lines -> every segment exactly once', () => {
    const spot = fc.integer({ min: 0, max: 4 })
    const line = fc
      .uniqueArray(fc.tuple(spot, spot), { minLength: 2, maxLength: 4, selector: String })
      .map((spots) => spots.flat())
    const segments = (lines: number[][]) =>
      lines
        .flatMap((each) =>
          Array.from({ length: each.length / 2 - 1 }, (_, i) => each.slice(i * 2, i * 2 + 4)),
        )
        .map((segment) => [String(segment), String(reversedRing(segment))].sort()[0])
        .sort()
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.boolean(), (lines, directed) => {
        expect(segments(joinLines(lines, directed))).toEqual(segments(lines))
      }),
    )
  })
})
