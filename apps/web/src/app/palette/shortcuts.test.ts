import { describe, expect, it } from 'vitest'
import { pageKeys, type Shortcut, type Stroke, shortcutOf } from './shortcuts.ts'

const press = (key: string, code: string, more: Partial<Stroke> = {}): Stroke => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})
const free = { single: true, going: false }

describe('shortcuts', () => {
  it.each<[string, Stroke, { single: boolean; going: boolean }, Shortcut | null]>([
    ['Ctrl K', press('k', 'KeyK', { ctrlKey: true }), free, { what: 'palette' }],
    ['Cmd K', press('k', 'KeyK', { metaKey: true }), free, { what: 'palette' }],
    [
      'Ctrl K while typing',
      press('k', 'KeyK', { ctrlKey: true }),
      { single: false, going: false },
      { what: 'palette' },
    ],
    ['Ctrl K on an Arabic keyboard', press('ن', 'KeyK', { ctrlKey: true }), free, { what: 'palette' }],
    ['Ctrl G, the browser’s own', press('g', 'KeyG', { ctrlKey: true }), free, null],
    ['?', press('?', 'Slash'), free, { what: 'help' }],
    ['? on an Arabic keyboard', press('؟', 'Slash'), free, { what: 'help' }],
    ['? while typing', press('?', 'Slash'), { single: false, going: false }, null],
    ['/', press('/', 'Slash'), free, { what: 'search' }],
    ['/ while typing', press('/', 'Slash'), { single: false, going: false }, null],
    ['g', press('g', 'KeyG'), free, { what: 'go' }],
    ['g while typing', press('g', 'KeyG'), { single: false, going: false }, null],
    ['g then d', press('d', 'KeyD'), { single: true, going: true }, { what: 'page', key: 'd' }],
    ['d alone', press('d', 'KeyD'), free, null],
    ['Alt G', press('g', 'KeyG', { altKey: true }), free, null],
  ])('%s -> its shortcut, if any', (_name, stroke, how, wanted) => {
    expect(shortcutOf(stroke, how)).toEqual(wanted)
  })

  it('pages of a role -> no letter used twice', () => {
    const letters = Object.entries(pageKeys).filter(([path]) => path !== '/wallet')
    expect(new Set(letters.map(([, key]) => key)).size).toBe(letters.length)
  })
})
