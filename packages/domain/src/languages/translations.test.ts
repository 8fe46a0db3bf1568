import { expect, test } from 'vitest'
import {
  filledTranslations,
  type Translations,
  translate,
  translateCopy,
  translationProblems,
} from './translations.ts'

const economy = {
  name: 'Economy',
  extra_info: 'Four seats',
  translations: { ar: { name: 'اقتصادية' }, es: { name: '' } } as Translations<'name' | 'extra_info'>,
}

test('translate: a language with, with an empty and without a text -> falls back to the own text', () => {
  expect(translate(economy, 'name', 'ar')).toBe('اقتصادية')
  expect(translate(economy, 'extra_info', 'ar')).toBe('Four seats')
  expect(translate(economy, 'name', 'es')).toBe('Economy')
  expect(translate(economy, 'name', 'de')).toBe('Economy')
})

test('translateCopy: renamed or removed since -> the copy', () => {
  expect(translateCopy([economy], 'name', 'Economy', 'ar')).toBe('اقتصادية')
  expect(translateCopy([{ ...economy, name: 'Basic' }], 'name', 'Economy', 'ar')).toBe('Economy')
  expect(translateCopy([], 'name', 'Economy', 'ar')).toBe('Economy')
})

test('translations: unknown locale, long text, too many languages -> refused', () => {
  const limits = { name: 5 }
  expect(translationProblems({ ar: { name: '12345' }, 'pt-BR': {} }, limits)).toEqual([])
  expect(translationProblems({ ar: { name: '123456' } }, limits)).toEqual([
    { field: 'translations.ar.name', error: 'too_long' },
  ])
  for (const locale of ['', 'AR', 'pt-br', '-', 'x'.repeat(30)])
    expect(translationProblems({ [locale]: {} }, limits)).toEqual([
      { field: `translations.${locale}`, error: 'not_a_locale' },
    ])
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`x${index}`, {}]))
  expect(translationProblems(many, limits)).toEqual([{ field: 'translations', error: 'too_long' }])
})

test('filled translations: empty texts -> left out, null without any', () => {
  expect(filledTranslations({ ar: { name: ' س ', extra_info: ' ' }, es: { name: '' } })).toEqual({
    ar: { name: 'س' },
  })
  expect(filledTranslations({ es: { name: '' } })).toBeNull()
})
