import { expect, test } from 'vitest'
import { searchPatterns } from './search-patterns.ts'

test.each([
  ['', []],
  ['  ', []],
  ['ana', ['%ana%']],
  ['ana  rodó ana', ['%ana%', '%rodó%']],
  ['an', ['% an%']],
  ['7', ['% 7%']],
  ['100%', ['%100\\%%']],
  ['a_b\\', ['%a\\_b\\\\%']],
  ['😀😀', ['% 😀😀%']],
])('searchPatterns: %j -> %j', (text, patterns) => {
  expect(searchPatterns(text)).toEqual(patterns)
})

test('searchPatterns: a hundred words -> the first eight', () => {
  expect(searchPatterns(Array.from({ length: 100 }, (_, number) => `word${number}`).join(' '))).toHaveLength(
    8,
  )
})
