import { expect, it } from 'vitest'
import { changedTexts, wholePack } from './json-changes.ts'

const known = { english: { a: 'A', b: 'B', c: 'C' }, texts: { a: 'x', c: 'z' } }

it('shows every key, also without a text', () => {
  expect(wholePack(known)).toEqual({ a: 'x', b: '', c: 'z' })
})

it('finds what was changed, filled in, taken out, and what is no key', () => {
  expect(changedTexts(known, wholePack(known))).toEqual({})
  expect(changedTexts(known, { a: 'X', b: 'y', new: '' })).toEqual({ a: 'X', b: 'y', c: '', new: '' })
})
