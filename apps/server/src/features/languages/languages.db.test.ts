import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import type { Category } from '@hansom/domain/settings/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { createLanguagesService } from './service.ts'
import { readPacks } from './shipped-packs.ts'
import { languagesTable } from './table.ts'

const release = shippedLanguages.map(({ langLocale }) => langLocale)

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test("list: product's languages -> one default", async () => {
  const languages = (await app.server.inject({ url: '/api/v1/languages' })).json()
  expect(languages.map((language: { langLocale: string }) => language.langLocale)).toEqual(release)
  expect(languages.filter((language: { default: boolean }) => language.default)).toHaveLength(1)
  expect(languages[1]).toMatchObject({ direction: 'rtl' })
})

test('pack: unchanged -> not sent again', async () => {
  const first = await app.server.inject({ url: '/api/v1/languages/ar' })
  expect(first.json().keyValuePairs['common.close']).toBe('إغلاق')
  const again = await app.server.inject({
    url: '/api/v1/languages/ar',
    headers: { 'if-none-match': String(first.headers.etag) },
  })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('delivery installation: its texts -> in every pack, in new languages and as the reference of the editor', async () => {
  const { languages, settings } = app.services
  const texts = readPacks('delivery')
  const turn = (category: Category) => app.database.withTransaction((tx) => settings.update(tx, { category }))
  const uid = await app.addUser({ email: 'ada@words.test', usertype: 'admin' })
  const before = await languages.pack('en')
  await turn('delivery')
  for (const locale of release) {
    expect((await languages.pack(locale)).keyValuePairs).toMatchObject(texts.get(locale) ?? {})
  }
  for (const locale of ['en', 'ar']) {
    expect((await languages.texts(locale)).english).toMatchObject(texts.get('en') ?? {})
  }
  const names = { langName: 'Italiano', langLocale: 'it', dateLocale: 'it-IT', direction: 'ltr' } as const
  await languages.admin.create(uid, names)
  expect((await languages.texts('it')).texts).toMatchObject(texts.get('en') ?? {})
  await languages.admin.remove(uid, 'it')
  await turn('taxi')
  expect((await languages.pack('en')).keyValuePairs).toEqual(before.keyValuePairs)
})

test('pack: unknown language -> not_found', async () => {
  const answer = await app.server.inject({ url: '/api/v1/languages/xx' })
  expect([answer.statusCode, answer.json().error]).toEqual([404, 'not_found'])
})

test('pack: own texts take precedence; own language -> completed from English', async () => {
  await app.database.db.insert(languagesTable).values([
    {
      id: '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e01',
      langName: 'English',
      langLocale: 'en',
      dateLocale: 'en-NZ',
      direction: 'ltr',
      keyValuePairs: { 'common.close': 'Shut' },
      createdAt: 1,
    },
    {
      id: '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e02',
      langName: 'Català',
      langLocale: 'ca',
      dateLocale: 'ca-AD',
      direction: 'ltr',
      isDefault: true,
      keyValuePairs: { 'common.back': 'Torna' },
      createdAt: 2,
    },
  ])
  // A new service, without the cache filled by other tests.
  const fresh = createLanguagesService({
    database: app.database,
    clock: systemClock,
    settings: app.services.settings,
  })
  const list = await fresh.list()
  expect(list.map((language) => [language.langLocale, language.default])).toEqual([
    ...release.map((locale) => [locale, false]),
    ['ca', true],
  ])
  const catalan = await fresh.pack('ca')
  expect(catalan.keyValuePairs).toMatchObject({ 'common.close': 'Shut', 'common.back': 'Torna' })
  expect((await fresh.choose(['it', 'AR-eg'])).langLocale).toBe('ar')
  expect((await fresh.choose(['it'])).langLocale).toBe('ca')
  expect((await fresh.start(null)).langLocale).toBe('ca')
  expect((await fresh.start('ar')).langLocale).toBe('ar')
})
