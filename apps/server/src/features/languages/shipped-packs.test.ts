import { placeholders } from '@hansom/domain/languages/check-texts'
import { countedStem, keysOf } from '@hansom/domain/languages/plural-keys'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { describe, expect, test } from 'vitest'
import { printable } from '../../platform/pdf/sheet.ts'
import { readPacks, readShippedPacks } from './shipped-packs.ts'

const packs = readPacks('.')
const delivery = readPacks('delivery')
const english = packs.get('en') ?? {}
const stem = (key: string) => countedStem(key, english) ?? key

/** The numbers from 0 to 200 for which a counted text is shown. i18next prefers a `_zero` form in any language. */
function numbersOf(locale: string, key: string, stem: string): number[] {
  const rules = new Intl.PluralRules(locale)
  const form = (n: number) => (n === 0 && `${stem}_zero` in english ? 'zero' : rules.select(n))
  return Array.from({ length: 201 }, (_, n) => n).filter((n) => key === `${stem}_${form(n)}`)
}

test('English has texts', () => {
  expect(Object.keys(english).length).toBeGreaterThan(0)
})

describe.each(shippedLanguages.filter(({ langLocale }) => langLocale !== 'en'))(
  '$langName',
  ({ langLocale }) => {
    const pack = packs.get(langLocale) ?? {}

    test('texts: those of English, counted ones in every plural form of its grammar', () => {
      expect(Object.keys(pack).sort()).toEqual(keysOf(langLocale, english).sort())
    })

    test('placeholders: the same as in English', () => {
      const differing = Object.keys(pack).filter((key) => {
        if (countedStem(key, english) !== null) return false
        return placeholders(pack[key] ?? '').join() !== placeholders(english[key] ?? '').join()
      })
      expect(differing).toEqual([])
    })

    test('counted texts: placeholders of English; a form of one number may leave them out', () => {
      const differing = Object.entries(pack).filter(([key, text]) => {
        const stem = countedStem(key, english)
        if (stem === null) return false
        const found = placeholders(text)
        const wanted = placeholders(english[`${stem}_other`] ?? '')
        if (numbersOf(langLocale, key, stem).length < 2) return found.some((name) => !wanted.includes(name))
        return ![wanted, placeholders(english[key] ?? '')].some((names) => names.join() === found.join())
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

/** Words of taxi rides. Words that also have another meaning, such as French “place”, are not among them. */
const rideWords: Readonly<Record<string, RegExp>> = {
  en: /\b(rid(e|es|er|ers|ing)|drivers?|trips?|taxis?|seats?|passengers?|cars?)\b/i,
  ar: /راكب|ركّ?اب|سائق|سيار|رحل|مقعد|مقاعد/,
  es: /(?<!\p{L})(pasajer|conductor|chofer|viaj|carreras?(?!\p{L})|coches?(?!\p{L})|autos?(?!\p{L})|taxi)/iu,
  fr: /(?<!\p{L})(passager|chauffeur|conducteur|courses?(?!\p{L})|voyage(?!r)|voiture|taxi)/iu,
  'pt-BR': /passageir|motorista|viage|viaj|corrida|carro|t[áa]xi|embarque/i,
  hi: /यात्री|सवारी|राइड|ड्राइवर|ड्राईवर|चालक|टैक्सी|कैब|ट्रिप|सीट|यात्रा|(?<![\p{L}\p{M}])कार(?![\p{L}\p{M}])/u,
  sv: /passagerar|förar(?!e\s)|chauff|(?<!\p{L})res(a|an|or|orna|enär|enärer)(?!\p{L})|taxi|körning|(?<!\p{L})bil(ar|en|arna)?(?!\p{L})|säte|sittplats/iu,
  'zh-CN': /乘客|司机|行程|车费|上车|下车|叫车|打车|乘车|出租|座/,
}
/** Shown in taxi installations only; names of pictures; an example; a text that the specification quotes. */
const mayNameRides =
  /seats|passengers|drawn_|^mail\.contact_help|^alarms\.button_off$|^settings\.(section_safety|hint_panic)|^profile\.no_addresses$|^settings\.category_taxi$|^error\.field_not_a_link$|^trip\.driver_assigned$/

test.each(shippedLanguages)('$langLocale, delivery: no text speaks of rides', ({ langLocale }) => {
  const texts = Object.entries(readShippedPacks().delivery.get(langLocale) ?? {})
  const words = rideWords[langLocale] ?? expect.fail(`no ride words of ${langLocale}`)
  expect(texts.length).toBeGreaterThan(0)
  const wrong = texts.filter(
    ([key, text]) => !mayNameRides.test(key) && words.test(text.replaceAll(/\{\{[^}]*\}\}/g, '')),
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

test('PDF files, all languages: every character is in a font', () => {
  const texts = [...packs.values(), ...delivery.values()].flatMap((pack) =>
    Object.entries(pack).flatMap(([key, text]) => (/^(receipts|parcels)\./.test(key) ? [text] : [])),
  )
  expect(texts.length).toBeGreaterThan(100)
  expect(texts.filter((text) => !text.includes('?') && printable(text).includes('?'))).toEqual([])
})
