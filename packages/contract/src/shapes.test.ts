import { expect, it } from 'vitest'
import { instant } from './shapes.ts'

it('instant: outside the calendar -> refused', () => {
  for (const at of [0, -8.64e15, 8.64e15]) {
    expect(instant.parse(at)).toBe(at)
    expect(new Date(at).getTime()).toBe(at)
  }
  for (const at of [8.64e15 + 1, -8.64e15 - 1, Number.MAX_SAFE_INTEGER, 0.5]) {
    expect(instant.safeParse(at).success).toBe(false)
  }
})
