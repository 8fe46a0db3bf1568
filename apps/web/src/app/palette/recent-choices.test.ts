import { beforeEach, describe, expect, it } from 'vitest'
import { type Choice, recentChoices, rememberChoice } from './recent-choices.ts'

const booking = (id: string): Choice => ({ kind: 'booking', id, label: id, detail: null })

describe('recent choices', () => {
  beforeEach(() => localStorage.clear())

  it('add -> newest first, no duplicates, at most six', () => {
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'c']) rememberChoice('me', booking(id))
    expect(recentChoices('me').map(({ id }) => id)).toEqual(['c', 'g', 'f', 'e', 'd', 'b'])
  })

  it('another user -> nothing', () => {
    rememberChoice('me', booking('a'))
    expect(recentChoices('other')).toEqual([])
  })

  it('storage holds something else -> empty', () => {
    for (const text of ['{', '[]', '{"uid":"me","choices":[{"kind":"x"},null]}']) {
      localStorage.setItem('hansom-recent-choices', text)
      expect(recentChoices('me')).toEqual([])
    }
  })
})
