import error from '@hansom/domain/languages/packs/en/error.json' with { type: 'json' }
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
