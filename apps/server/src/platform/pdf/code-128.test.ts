import { expect, test } from 'vitest'
import { code128Bars, code128Symbols } from './code-128.ts'

test('symbols: Wikipedia’s example -> its check symbol', () => {
  expect(code128Symbols('Wikipedia')).toEqual([104, 55, 73, 75, 73, 80, 69, 68, 73, 65, 88, 106])
})

test('bars: every character -> 11 modules with an even number of bar modules, and no two alike', () => {
  const patterns = new Set<string>()
  for (let code = 32; code < 127; code += 1) {
    const { bars, width } = code128Bars(String.fromCharCode(code))
    // Start, character, check, and the stop symbol of 13 modules.
    expect(width).toBe(46)
    const own = bars.slice(3, 6)
    expect(own.reduce((sum, bar) => sum + bar.width, 0) % 2).toBe(0)
    expect(own.every(({ at, width: one }) => at >= 11 && at + one <= 22)).toBe(true)
    patterns.add(own.map(({ at, width: one }) => `${at}+${one}`).join(' '))
  }
  expect(patterns.size).toBe(95)
})

test('symbols: a letter outside ASCII -> refused', () => {
  expect(() => code128Symbols('Ñ')).toThrow(RangeError)
})
