import { expect, test } from 'vitest'
import { orderLanguages } from './i18n.ts'

const languages = ['en', 'es', 'ar', 'pt-BR'].map((langLocale) => ({
  langName: langLocale,
  langLocale,
  dateLocale: langLocale,
  default: false,
  direction: 'ltr' as const,
}))
const ordered = (wanted: string[]) => orderLanguages(languages, wanted).map(({ langLocale }) => langLocale)

test('language selector: browser prefers ar-EG, then pt-PT -> those first, the rest unchanged', () => {
  expect(ordered(['ar-EG', 'fr', 'pt-PT'])).toEqual(['ar', 'pt-BR', 'en', 'es'])
})

test('language selector: browser prefers unknown languages -> unchanged', () => {
  expect(ordered(['fr'])).toEqual(['en', 'es', 'ar', 'pt-BR'])
})
