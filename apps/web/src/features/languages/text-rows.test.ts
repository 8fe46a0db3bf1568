import { ApiError } from '@hansom/client/api-error'
import type { AdminLanguage, LanguageTexts } from '@hansom/contract/languages'
import { describe, expect, it } from 'vitest'
import { fromOneLine, matchingRows, onOneLine, pageOf, rowsOf } from './text-rows.ts'
import { TextsStore } from './texts-store.ts'

const language: AdminLanguage = {
  langName: 'Català',
  langLocale: 'ca',
  dateLocale: '',
  direction: 'ltr',
  default: false,
  shipped: false,
  keys: 4,
  translated: 2,
  createdAt: 1,
  version: 3,
}
const texts: LanguageTexts = {
  ...language,
  english: { 'b.two': 'Two cafés', 'a.one': 'One', 'b.three': 'Three', 'c.four': 'Four' },
  texts: { 'b.two': 'Dos', 'a.one': 'One', 'c.four': 'Quatre' },
  copied: ['a.one'],
  changed: ['b.two'],
}
const rows = rowsOf(texts)
const keys = (found: readonly { key: string }[]) => found.map(({ key }) => key)

describe('rows', () => {
  it('rowsOf: missing, copied and changed texts -> their states', () => {
    expect(rows.map(({ key, state }) => [key, state])).toEqual([
      ['a.one', 'missing'],
      ['b.three', 'missing'],
      ['b.two', 'changed'],
      ['c.four', 'own'],
    ])
  })

  it('matchingRows: words of key, English or text without diacritics -> found', () => {
    expect(keys(matchingRows(rows, { q: 'CAFES dos' }))).toEqual(['b.two'])
    expect(keys(matchingRows(rows, { state: 'missing' }))).toEqual(['a.one', 'b.three'])
    expect(keys(matchingRows(rows, { sort: '-english' }))).toEqual(['b.two', 'b.three', 'a.one', 'c.four'])
  })

  it('pageOf: limit and cursor -> pages', () => {
    const first = pageOf(rows, { limit: 3 })
    expect([keys(first.items), first.next]).toEqual([['a.one', 'b.three', 'b.two'], '3'])
    expect(pageOf(rows, { limit: 3, cursor: '3' })).toMatchObject({ items: [{ key: 'c.four' }], next: null })
  })

  it.each(['a\nb', 'a\\nb', '\\', 'plain'])('%j survives a line of its own', (text) => {
    expect(onOneLine(text)).not.toContain('\n')
    expect(fromOneLine(onOneLine(text))).toBe(text)
  })
})

describe('TextsStore', () => {
  const unread = () => Promise.reject(new Error('not read'))

  it('changed text removed -> the text of the release is back', async () => {
    const release = { ...texts, version: 4, texts: { ...texts.texts, 'b.three': 'Tres' } }
    const store = new TextsStore(
      texts,
      async (version) => ({ ...language, version: version + 1 }),
      async () => release,
    )
    expect(await store.save('b.three', '')).toMatchObject({ text: 'Tres', state: 'own' })
  })

  it('several edits -> sent one after the other, each against the previous version', async () => {
    const sent: unknown[] = []
    const store = new TextsStore(
      texts,
      async (version, changes) => {
        sent.push([version, changes])
        return { ...language, version: version + 1 }
      },
      unread,
    )
    const [one, three] = await Promise.all([store.save('a.one', 'Uno'), store.save('b.three', '')])
    expect(sent).toEqual([
      [3, { 'a.one': 'Uno' }],
      [4, { 'b.three': null }],
    ])
    expect([one.state, three.state, store.texts.version]).toEqual(['changed', 'missing', 5])
  })

  const faster = (theirs: LanguageTexts) => {
    const sent: number[] = []
    const store = new TextsStore(
      texts,
      async (version) => {
        sent.push(version)
        if (version < theirs.version) throw new ApiError('conflict', 409, { data: { current: theirs } })
        return { ...language, version: version + 1 }
      },
      unread,
    )
    return { store, sent }
  }

  it('another text changed by someone else -> saved against the new version', async () => {
    const { store, sent } = faster({ ...texts, version: 7, texts: { ...texts.texts, 'c.four': '4' } })
    expect((await store.save('a.one', 'Uno')).text).toBe('Uno')
    expect([sent, store.texts.texts['c.four']]).toEqual([[3, 7], '4'])
  })

  it('same text changed by someone else -> conflict with their row', async () => {
    const { store } = faster({ ...texts, version: 7, texts: { ...texts.texts, 'a.one': 'Una' }, copied: [] })
    await expect(store.save('a.one', 'Uno')).rejects.toMatchObject({
      key: 'conflict',
      data: { current: { key: 'a.one', text: 'Una' } },
    })
  })

  it('edit refused -> the next edit is sent', async () => {
    let refused = false
    const store = new TextsStore(
      texts,
      async (version) => {
        if (!refused) {
          refused = true
          throw new ApiError('invalid_input', 400)
        }
        return { ...language, version: version + 1 }
      },
      unread,
    )
    await expect(store.save('a.one', '{{x}}')).rejects.toMatchObject({ key: 'invalid_input' })
    expect(store.texts.texts['a.one']).toBe('One')
    expect((await store.save('a.one', 'Uno')).text).toBe('Uno')
  })
})
