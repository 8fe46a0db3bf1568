import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { textLimits } from '@hansom/domain/languages/text-limits'
import { maxSmsSegments, smsSegments, writeSms } from '@hansom/domain/messages/sms-length'
import { describe, expect, test } from 'vitest'

const packs = new URL('../../../../../packages/domain/src/languages/packs/', import.meta.url)
const read = (path: string): Record<string, string> =>
  existsSync(new URL(path, packs)) ? JSON.parse(readFileSync(new URL(path, packs), 'utf8')) : {}

const isText = (key: string) =>
  /^(caller|rider)_\w+\.text$|^parcel_cash\.text$|^parcel_\w+_sms\.text$|^(sign_in_code|change_mobile|contact_corrected|provider_test)\.text$/.test(
    key,
  )

/** The longest values that the server inserts. */
const longest: Record<string, string> = {
  ...Object.fromEntries(Object.entries(textLimits).map(([name, value]) => [name, String(value)])),
  appName: 'Taxi Montevideo',
  car: 'x'.repeat(18),
  plate: 'ABC 12345',
  time: '23:59',
  amount: '$1.234,56',
  when: '2026-11-24 23:59',
  number: 'ABC234',
  code: '123456',
  pickup: 'x'.repeat(22),
  drop: 'x'.repeat(22),
  fare: '$1.234.567,89',
  sender: 'x'.repeat(24),
  link: `https://taxi-montevideo.example/track/${'x'.repeat(22)}`,
}

describe('text messages: longest values -> at most two messages', () => {
  const languages: string[] = readdirSync(packs)
  test.each(languages)('%s', (language) => {
    for (const variant of ['', 'delivery/']) {
      // A language that lacks a text shows the English one.
      const texts = Object.assign(
        {},
        ...['en', language].flatMap((one) => [read(`${one}/mail.json`), read(`${one}/${variant}mail.json`)]),
      ) as Record<string, string>
      const keys = Object.keys(texts).filter(isText)
      expect(keys.length).toBeGreaterThanOrEqual(18)
      for (const key of keys) {
        const filled = writeSms(
          (params) =>
            (texts[key] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '{{}}'),
          longest,
        )
        expect(filled).not.toContain('{{')
        expect(smsSegments(filled), `${variant}${key}: ${filled}`).toBeLessThanOrEqual(maxSmsSegments)
      }
    }
  })
})
