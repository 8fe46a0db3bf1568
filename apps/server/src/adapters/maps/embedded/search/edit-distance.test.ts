import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance } from './similar-words.ts'

/** The full table, written for clarity. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number) => table[i]?.[j] as number
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(i - 2, j - 2) + 1)
      ;(table[i] as number[])[j] = cost
    }
  }
  return at(a.length, b.length)
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })

describe('edit distance', () => {
  it('any two words -> same as the full table, up to the maximum', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 2 }), (typed, other, most) => {
        expect(editDistance(typed, other, most, false)).toBe(Math.min(distance(typed, other), most + 1))
      }),
      { numRuns: 3_000 },
    )
  })

  it('prefix match -> minimum over all prefixes', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 2 }), (typed, other, most) => {
        const beginnings = Array.from({ length: other.length + 1 }, (_, length) => other.slice(0, length))
        const fewest = Math.min(...beginnings.map((beginning) => distance(typed, beginning)))
        expect(editDistance(typed, other, most, true)).toBe(Math.min(fewest, most + 1))
      }),
      { numRuns: 3_000 },
    )
  })

  it('very long words -> not computed', () => {
    expect(editDistance('a'.repeat(61), 'a'.repeat(61), 2, false)).toBe(3)
  })
})
