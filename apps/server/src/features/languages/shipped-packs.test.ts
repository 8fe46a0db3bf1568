import { countedStem, pluralForms } from '@hansom/domain/languages/plural-keys'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { describe, expect, test } from 'vitest'
import { readPacks, readShippedPacks } from './shipped-packs.ts'

const packs = readPacks('.')
const delivery = readPacks('delivery')
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

describe.each(shippedLanguages)('$langName, delivery', ({ langLocale }) => {
  const base = packs.get(langLocale) ?? {}
  const texts = delivery.get(langLocale) ?? {}
  const keys = Object.keys(texts)

  test('texts: each replaces a taxi text', () => {
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter((key) => base[key] === undefined)).toEqual([])
    // Another language may have one text for both.
    if (langLocale === 'en') expect(keys.filter((key) => base[key] === texts[key])).toEqual([])
  })

  test('placeholders: those of the taxi text', () => {
    const differing = keys.filter(
      (key) => placeholders(texts[key] ?? '').join() !== placeholders(base[key] ?? '').join(),
    )
    expect(differing).toEqual([])
  })

  test('keys: all that English replaces, and all plural forms of each', () => {
    const replaced = new Set(keys.map(stem))
    expect(
      [...new Set(Object.keys(delivery.get('en') ?? {}).map(stem))].filter((key) => !replaced.has(key)),
    ).toEqual([])
    expect(Object.keys(base).filter((key) => replaced.has(stem(key)) && !(key in texts))).toEqual([])
  })
})

test('delivery: texts that differ are merged over the taxi texts; the others are the same', () => {
  const { delivery: merged } = readShippedPacks()
  for (const [locale, texts] of merged)
    expect(texts).toEqual({ ...packs.get(locale), ...delivery.get(locale) })
})

/** Words of taxi rides. */
const rideWords: Readonly<Record<string, RegExp>> = {
  en: /\b(rid(e|es|er|ers|ing)|drivers?|trips?|taxis?|seats?|passengers?|cars?)\b/i,
  ar: /راكب|ركّ?اب|سائق|سيار|رحل|مقعد|مقاعد/,
}
/** Shown in taxi installations only; names of pictures; an example; a text that the specification quotes. */
const mayNameRides =
  /seats|passengers|drawn_|^profile\.no_addresses$|^settings\.category_taxi$|^error\.field_not_a_link$|^trip\.driver_assigned$/

test.each(Object.keys(rideWords))('%s, delivery: no text speaks of rides', (locale) => {
  const texts = Object.entries(readShippedPacks().delivery.get(locale) ?? {})
  expect(texts.length).toBeGreaterThan(0)
  const wrong = texts.filter(
    ([key, text]) =>
      !mayNameRides.test(key) && rideWords[locale]?.test(text.replaceAll(/\{\{[^}]*\}\}/g, '')),
  )
  expect(wrong).toEqual([])
})

test('taxi: errors and events that only deliveries have -> no texts', () => {
  const { taxi } = readShippedPacks()
  expect(taxi.get('en')).toHaveProperty(['error.not_found'])
  for (const [locale, texts] of taxi) {
    expect(texts).not.toHaveProperty(['error.wait_at_stop'])
    expect(packs.get(locale)).toHaveProperty(['error.wait_at_stop'])
  }
})
