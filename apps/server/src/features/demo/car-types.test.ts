import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { expect, test } from 'vitest'
import { demoCarTypes } from './car-types.ts'

test.each(['taxi', 'delivery'] as const)(
  'demo car types: %s -> every text in every other language',
  (category) => {
    const others = shippedLanguages
      .flatMap(({ langLocale }) => (langLocale === 'en' ? [] : [langLocale]))
      .sort()
    const types = demoCarTypes((pesos) => pesos, category)
    expect(types).toHaveLength(5)
    for (const { name, translations, parcelTypes = [], options = [] } of types) {
      expect(parcelTypes.length > 0, name).toBe(category === 'delivery')
      for (const { locales, fields } of [
        { locales: translations, fields: ['name', 'extra_info'] },
        ...[...parcelTypes, ...options].map((extra) => ({
          locales: extra.translations,
          fields: ['description'],
        })),
      ]) {
        expect(Object.keys(locales ?? {}).sort(), name).toEqual(others)
        for (const texts of Object.values<Record<string, string | undefined>>(locales ?? {})) {
          expect(Object.keys(texts), name).toEqual(fields)
          expect(Object.values(texts).every((text) => text?.trim())).toBe(true)
        }
      }
    }
  },
)
