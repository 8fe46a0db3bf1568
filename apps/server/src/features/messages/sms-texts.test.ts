import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { textLimits } from '@hansom/domain/languages/text-limits'
import { maxSmsSegments, smsSegments, writeSms } from '@hansom/domain/messages/sms-length'
import { describe, expect, test } from 'vitest'

const packs = new URL('../../../../../packages/domain/src/languages/packs/', import.meta.url)
const read = (path: string): Record<string, string> =>
  existsSync(new URL(path, packs)) ? JSON.parse(readFileSync(new URL(path, packs), 'utf8')) : {}

const isText = (key: string) =>
  /^(caller|rider)_\w+\.text$|^parcel_cash\.text$|^\w+_sms\.text$|^(sign_in_code|change_mobile|contact_corrected|provider_test)\.text$/.test(
    key,
  )

const site = 'https://taxi-montevideo.example'
/** The longest values that the server inserts. */
const longest: Record<string, string> = {
  ...Object.fromEntries(Object.entries(textLimits).map(([name, value]) => [name, String(value)])),
  appName: 'Taxi Montevideo',
  time: '23:59',
  amount: '$1.234,56',
  when: '2026-11-24 23:59',
  number: 'ABC234',
  code: '123456',
  fare: '$1.234.567,89',
  link: `${site}/track/${'x'.repeat(22)}`,
}
/** Names and addresses as people write them, in the scripts of the languages. */
const written: Record<string, Record<string, string>> = {
  Latin: {
    car: 'x'.repeat(18),
    plate: 'ABC 12345',
    pickup: 'x'.repeat(22),
    drop: 'x'.repeat(22),
    sender: 'x'.repeat(24),
  },
  accented: {
    car: 'Škoda Élégance Çel',
    plate: 'ÁB 12345',
    pickup: 'Calle José Ñandú 1234',
    drop: 'Avenida 18 de Jülio 9',
    sender: 'María José Rodríguez Ló',
  },
  Arabic: {
    car: 'ت'.repeat(18),
    plate: 'أ ب ج 12345',
    pickup: 'ش'.repeat(22),
    drop: 'ش'.repeat(22),
    sender: 'م'.repeat(24),
  },
}
/** Their texts are in another alphabet than the default one in any case. */
const nonLatin = ['ar', 'hi', 'zh-CN']
/** A day that is not today, as the server writes it. */
const dayText = (language: string) =>
  new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(2026, 8, 23, 23, 59))

describe.each(Object.entries(written))('text messages: longest values, %s names', (script, names) => {
  const languages: string[] = readdirSync(packs)
  // Names in another alphabet than the text's make a long text three messages, and never more.
  test.each(
    languages.map((language) => ({
      language,
      most: maxSmsSegments + (script === 'Arabic' && !nonLatin.includes(language) ? 1 : 0),
    })),
  )('$language -> at most $most messages', ({ language, most }) => {
    const problems: string[] = []
    for (const variant of ['', 'delivery/']) {
      // A language that lacks a text shows the English one.
      const texts = Object.assign(
        {},
        ...['en', language].flatMap((one) => [read(`${one}/mail.json`), read(`${one}/${variant}mail.json`)]),
      ) as Record<string, string>
      const keys = Object.keys(texts).filter(isText)
      expect(keys.length).toBeGreaterThanOrEqual(23)
      for (const key of keys) {
        const isPlace = key.includes('_place_')
        const values = {
          ...longest,
          ...names,
          ...(isPlace && { link: 'https://osm.org/?mlat=-34.12345&mlon=-156.12345&zoom=17' }),
          ...(key.startsWith('parcel_') && { time: dayText(language) }),
        }
        const filled = writeSms(
          (params) =>
            (texts[key] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '{{}}'),
          values,
        )
        expect(filled).not.toContain('{{')
        if (smsSegments(filled) > most) problems.push(`${variant}${key} ${filled.length}: ${filled}`)
      }
    }
    expect(problems).toEqual([])
  })
})
