import { expect, test } from 'vitest'
import { findLanguage, languageOfCountry } from './find-language.ts'

const languages = ['en', 'es', 'pt-BR', 'zh-CN', 'zh-TW'].map((langLocale) => ({ langLocale }))

test.each([
  ['es', 'es'],
  ['es-UY', 'es'],
  ['PT-br', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['zh-TW', 'zh-TW'],
  ['zh-Hans-CN', 'zh-CN'],
  ['nn', undefined],
  ['', undefined],
])('find language: %s -> %s', (wanted, found) => {
  expect(findLanguage(languages, wanted)?.langLocale).toBe(found)
})

test.each([
  ['UY', 'es'],
  ['BR', 'pt'],
  ['IN', 'hi'],
  ['SE', 'sv'],
  ['CN', 'zh'],
  ['', null],
  ['??', null],
])('language of a country: %s -> %s', (country, language) => {
  expect(languageOfCountry(country)).toBe(language)
})
