import error from '@hansom/domain/languages/packs/en/error.json' with { type: 'json' }
import { pluralForms } from '@hansom/domain/languages/plural-keys'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { textLimits } from '@hansom/domain/languages/text-limits'
import { expect, test } from 'vitest'
import { startLanguage, text } from './i18n.ts'

test('text: names a limit -> the number of the domain', () => {
  startLanguage(
    {
      langName: 'English',
      langLocale: 'en',
      dateLocale: 'en',
      default: true,
      direction: 'ltr',
      keyValuePairs: { 'error.past_booking_error': error.past_booking_error },
    },
    [],
  )
  expect(text('error.past_booking_error')).toBe(
    `Choose a pickup time at least ${textLimits.leadMinutes} minutes from now.`,
  )
})

const numbers = [0, 1, 2, 5, 21, 1_000_000]
/** The forms of CLDR's cardinal rules for `numbers`; `_zero` is shown for 0 in every language that has it. */
const forms: Readonly<Record<string, string>> = {
  en: 'other one other other other other',
  ar: 'zero one two few many other',
  es: 'other one other other other many',
  fr: 'one one other other other many',
  'pt-BR': 'one one other other other many',
  hi: 'one one other other other other',
  sv: 'other one other other other other',
  'zh-CN': 'other other other other other other',
}

test.each(shippedLanguages)('counted text, $langLocale: the form of its grammar', (language) => {
  const named = ['one', 'other', ...pluralForms(language.langLocale)]
  const texts = Object.fromEntries(named.map((form) => [`wallet.counted_${form}`, form]))
  startLanguage({ ...language, keyValuePairs: texts }, [])
  expect(numbers.map((count) => text('wallet.counted' as string, { count })).join(' ')).toBe(
    forms[language.langLocale],
  )
})

test('number in a text: written as the language does', () => {
  const shown = shippedLanguages.map((language) => {
    startLanguage({ ...language, keyValuePairs: { 'wallet.counted': '{{number}}' } }, [])
    return `${language.langLocale} ${text('wallet.counted' as string, { number: 1_234_567.5 })}`
  })
  expect(shown).toEqual(shippedLanguages.map(({ langLocale }) => `${langLocale} ${written[langLocale]}`))
})
const written: Readonly<Record<string, string>> = {
  en: '1,234,567.5',
  ar: '1,234,567.5',
  es: '1.234.567,5',
  fr: '1\u202f234\u202f567,5',
  'pt-BR': '1.234.567,5',
  hi: '12,34,567.5',
  sv: '1\u00a0234\u00a0567,5',
  'zh-CN': '1,234,567.5',
}
