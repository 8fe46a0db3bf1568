import { expect, it } from 'vitest'
import { allTexts, changedTexts } from './json-editor.tsx'

const known = { english: { a: 'A', b: 'B', c: 'C' }, texts: { a: 'x', c: 'z' } }

it('allTexts: key without a text -> listed with an empty text', () => {
  expect(allTexts(known)).toEqual({ a: 'x', b: '', c: 'z' })
})

it('changedTexts: changed, added, removed and unknown keys -> listed', () => {
  expect(changedTexts(known, allTexts(known))).toEqual({})
  expect(changedTexts(known, { a: 'X', b: 'y', new: '' })).toEqual({ a: 'X', b: 'y', c: '', new: '' })
})
