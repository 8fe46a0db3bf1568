import { countedStem, pluralForms } from '@hansom/domain/languages/plural-keys'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { describe, expect, test } from 'vitest'
import { readShippedPacks } from './shipped-packs.ts'

const packs = readShippedPacks()
const english = packs.get('en') ?? {}
const stem = (key: string) => countedStem(key, english) ?? key
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort()

test('English has texts', () => {
  expect(Object.keys(english).length).toBeGreaterThan(0)
})

describe.each(shippedLanguages.filter(({ langLocale }) => langLocale !== 'en'))(
  '$langName',
  ({ langLocale }) => {
    const pack = packs.get(langLocale) ?? {}

    test('texts: the same keys as English', () => {
      const stems = (texts: object) => [...new Set(Object.keys(texts).map(stem))].sort()
      expect(stems(pack)).toEqual(stems(english))
    })

    test('plural forms: every form of its grammar', () => {
      const categories = pluralForms(langLocale)
      const counted = new Set(
        Object.keys(english)
          .map((key) => countedStem(key, english))
          .filter((key) => key !== null),
      )
      const missing = [...counted].flatMap((key) =>
        categories.map((category) => `${key}_${category}`).filter((form) => !(form in pack)),
      )
      expect(missing).toEqual([])
    })

    test('placeholders: the same as in English', () => {
      const differing = Object.keys(pack).filter((key) => {
        const original = english[key]
        if (original === undefined || countedStem(key, english) !== null) return false
        return placeholders(pack[key] ?? '').join() !== placeholders(original).join()
      })
      expect(differing).toEqual([])
    })
  },
)
