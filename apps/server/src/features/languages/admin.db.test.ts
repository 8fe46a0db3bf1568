import type { AdminLanguage } from '@hansom/contract/languages'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'

let app: TestApp
let admin: string
beforeAll(async () => {
  app = await createTestApp()
  await app.addUser({ email: 'admin@x.test', usertype: 'admin', firstName: 'Ada', lastName: 'Admin' })
  admin = await app.bearer('admin@x.test')
})
afterAll(() => app.close())
/** A change clears the in-memory cache. */
const forget = () => app.database.withTransaction((tx) => app.services.settings.languagesChanged(tx))
beforeEach(async () => {
  await app.database.pool.query('delete from languages')
  await forget()
})

const packsPath = '/api/v1/language-packs'
const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', payload?: object) => {
  const answer = await app.server.inject({
    method,
    url: packsPath + path,
    headers: { authorization: admin },
    ...(payload ? { payload } : method === 'GET' ? {} : { payload: {} }),
  })
  return { status: answer.statusCode, body: answer.json() }
}
/** A language that the release does not ship. */
const catalan = { langName: 'Català', langLocale: 'ca', dateLocale: 'ca-AD', direction: 'ltr' }
/** The codes of the release's languages. */
const release = shippedLanguages.map(({ langLocale }) => langLocale)
const locales = (list: { langLocale: string }[]) => list.map(({ langLocale }) => langLocale)
const defaults = (list: AdminLanguage[]) => list.filter((one) => one.default).map((one) => one.langLocale)
const find = async (locale: string): Promise<AdminLanguage> =>
  (await ask('GET')).body.find((one: AdminLanguage) => one.langLocale === locale)
const save = (locale: string, version: number, texts: object) =>
  ask('PATCH', `/${locale}/texts`, { version, texts })
const published = async (locale: string) => {
  const answer = await app.server.inject({ url: `/api/v1/languages/${locale}` })
  return answer.json().keyValuePairs as Record<string, string>
}

test('release languages -> complete', async () => {
  const { body } = await ask('GET')
  expect(body.map(({ langLocale, shipped }: AdminLanguage) => [langLocale, shipped])).toEqual(
    release.map((locale) => [locale, true]),
  )
  for (const { keys, translated } of body) expect(translated).toBe(keys)
  expect(body[1].keys).toBeGreaterThan(body[0].keys)
})

describe('a new language', () => {
  test('default texts -> copied in the plural forms of its grammar, none counted as translated', async () => {
    const made = await ask('POST', '', { ...catalan, langLocale: 'RU', dateLocale: '' })
    expect(made).toMatchObject({ status: 200, body: { langLocale: 'ru', translated: 0, shipped: false } })
    const { body } = await ask('GET', '/ru')
    expect(body.texts['common.close']).toBe('Close')
    expect(body.texts['common.stars_few']).toBe('{{count}} stars')
    expect(Object.keys(body.texts)).toHaveLength(body.keys)
    expect(body.copied).toHaveLength(body.keys)
  })

  test('default language is not English -> its texts are copied', async () => {
    await ask('POST', '/ar/make_default')
    await ask('POST', '', catalan)
    const { body } = await ask('GET', '/ca')
    expect(body.texts['common.close']).toBe('إغلاق')
    expect(body.texts['common.stars_one']).toBeTypeOf('string')
  })

  test('missing or taken name or code -> refused', async () => {
    const wrong = await ask('POST', '', { ...catalan, langName: ' ', langLocale: 'català' })
    expect([wrong.status, wrong.body.fields.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ['langName', 'langLocale'],
    ])
    const again = await ask('POST', '', { ...catalan, langLocale: 'AR' })
    expect([again.status, again.body.error]).toEqual([409, 'language_exists'])
    const both = await Promise.all([ask('POST', '', catalan), ask('POST', '', catalan)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('texts', () => {
  test('saved -> counted as translated, and visible to visitors immediately', async () => {
    await ask('POST', '', catalan)
    const first = await save('ca', 1, { 'common.close': 'Tanca', 'common.back': 'Back' })
    expect(first).toMatchObject({ status: 200, body: { version: 2, translated: 2 } })
    expect((await ask('GET', '/ca')).body.texts['common.close']).toBe('Tanca')
    expect(await published('ca')).toMatchObject({ 'common.close': 'Tanca', 'common.alert': 'Alert' })
  })

  test('text of the release -> overridden, then reverted', async () => {
    await save('ar', 0, { 'common.close': 'أغلق' })
    expect((await published('ar'))['common.close']).toBe('أغلق')
    const { body } = await ask('GET', '/ar')
    expect(body.changed).toEqual(['common.close'])
    await save('ar', body.version, { 'common.close': null })
    expect((await published('ar'))['common.close']).toBe('إغلاق')
    expect((await ask('GET', '/ar')).body.changed).toEqual([])
  })

  test('English text changed -> completes the other languages', async () => {
    await ask('POST', '', catalan)
    await save('ca', 1, { 'common.close': null })
    expect((await published('ca'))['common.close']).toBe('Close')
    expect((await find('ca')).translated).toBe(0)
    await save('en', 0, { 'common.close': 'Shut' })
    expect((await published('ca'))['common.close']).toBe('Shut')
  })

  test('language that a later release ships -> its texts replace the copies; translated ones stay', async () => {
    await ask('POST', '', catalan)
    await save('ca', 1, { 'common.back': 'Torna' })
    await app.database.pool.query(`update languages set lang_locale = 'ar'`)
    await forget()
    expect(await published('ar')).toMatchObject({ 'common.close': 'إغلاق', 'common.back': 'Torna' })
    const { body } = await ask('GET', '/ar')
    expect(body).toMatchObject({ shipped: true, translated: body.keys, copied: [], changed: ['common.back'] })
    await save('ar', 2, { 'common.back': null })
    expect((await ask('GET', '/ar')).body.changed).toEqual([])
  })

  test('unknown keys or placeholders -> refused by name', async () => {
    const { status, body } = await save('ar', 0, {
      'common.nothing': 'x',
      'static.about_lead': '{{appname}}',
      'common.close': 'ok',
    })
    expect([status, body.fields]).toEqual([
      400,
      [
        { field: 'common.nothing', error: 'unknown_field' },
        { field: 'static.about_lead', error: 'unknown_placeholder' },
      ],
    ])
    expect((await ask('GET', '/ar')).body.changed).toEqual([])
  })

  test('two concurrent saves of one version -> one conflict with the current texts', async () => {
    await ask('POST', '', catalan)
    const both = await Promise.all([
      save('ca', 1, { 'common.close': 'A' }),
      save('ca', 1, { 'common.back': 'B' }),
    ])
    const [won, lost] = both.sort((a, b) => a.status - b.status)
    expect([won?.status, lost?.status]).toEqual([200, 409])
    expect([won?.body.version, lost?.body.data.current.version]).toEqual([2, 2])
    expect(lost?.body.data.current.texts).toEqual((await ask('GET', '/ca')).body.texts)
  })
})

test('name of another language, in any case -> refused at its field; own name in another case -> stored', async () => {
  await ask('POST', '', catalan)
  const refused = [
    await ask('POST', '', { ...catalan, langName: 'CATALÀ', langLocale: 'it' }),
    await ask('PATCH', '/ar', { version: 0, langName: 'català' }),
  ]
  for (const { status, body } of refused) {
    expect([status, body.fields]).toEqual([400, [{ field: 'langName', error: 'taken' }]])
  }
  expect((await ask('PATCH', '/ca', { version: 1, langName: 'català' })).status).toBe(200)
})

describe('default language', () => {
  test('chosen concurrently -> exactly one', async () => {
    const added = ['ca', 'it', 'pt-PT', 'de']
    for (const langLocale of added) await ask('POST', '', { ...catalan, langName: langLocale, langLocale })
    const wanted = ['en', 'ar', ...added]
    const answers = await Promise.all(
      [...wanted, ...wanted].map((locale) => ask('POST', `/${locale}/make_default`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
    for (const { body } of answers) expect(defaults(body)).toHaveLength(1)
    const rows = await app.database.pool.query('select lang_locale from languages where is_default')
    expect(defaults((await ask('GET')).body)).toEqual(rows.rows.map((row) => row.lang_locale))
  })

  test('visitor chose none -> every page starts in it', async () => {
    const { languages } = app.services
    expect((await languages.start(null)).langLocale).toBe('en')
    await ask('POST', '', catalan)
    await ask('POST', '/ca/make_default')
    expect((await languages.start(null)).langLocale).toBe('ca')
    expect((await languages.start('en')).langLocale).toBe('en')
    expect((await languages.start('xx')).langLocale).toBe('ca')
  })

  test('removed -> refused', async () => {
    const refused = await ask('DELETE', '/en')
    expect([refused.status, refused.body.error]).toEqual([409, 'Cannot delete default language'])
    await ask('POST', '', catalan)
    const [made, gone] = await Promise.all([ask('POST', '/ca/make_default'), ask('DELETE', '/ca')])
    // Whichever came first, a default exists.
    expect([200, 404]).toContain(made?.status)
    expect([200, 409]).toContain(gone?.status)
    expect(defaults((await ask('GET')).body)).toHaveLength(1)
  })
})

describe('removing', () => {
  test('language of the release -> stays removed until it is added again, with its own texts', async () => {
    await save('ar', 0, { 'common.close': 'أغلق' })
    const others = release.filter((locale) => locale !== 'ar')
    expect(locales((await ask('DELETE', '/ar')).body)).toEqual(others)
    expect((await app.server.inject({ url: '/api/v1/languages/ar' })).statusCode).toBe(404)
    expect(locales((await app.server.inject({ url: '/api/v1/languages' })).json())).toEqual(others)
    expect((await ask('GET', '/ar')).status).toBe(404)
    const back = await ask('POST', '', {
      ...catalan,
      langName: 'العربية',
      langLocale: 'ar',
      direction: 'rtl',
    })
    expect(back.body.translated).toBe(back.body.keys)
    expect((await published('ar'))['common.close']).toBe('إغلاق')
  })

  test('English -> still completes the others', async () => {
    await ask('POST', '', catalan)
    await save('ca', 1, { 'common.close': null })
    await ask('POST', '/ca/make_default')
    await ask('DELETE', '/en')
    expect((await published('ca'))['common.close']).toBe('Close')
  })

  test('own language -> gone, and its pack not_found', async () => {
    await ask('POST', '', catalan)
    await ask('DELETE', '/ca')
    expect((await ask('DELETE', '/ca')).status).toBe(404)
    expect((await app.database.pool.query('select 1 from languages')).rowCount).toBe(0)
  })
})

describe('names', () => {
  test('own language -> all can change; release language -> not its code', async () => {
    await ask('POST', '', catalan)
    const renamed = await ask('PATCH', '/ca', { version: 1, langName: 'Valencià', langLocale: 'ca-ad' })
    expect(renamed.body).toMatchObject({ langName: 'Valencià', langLocale: 'ca-AD', version: 2 })
    expect((await ask('PATCH', '/ca-AD', { version: 2, langLocale: 'ar' })).body.error).toBe(
      'language_exists',
    )
    const released = await ask('PATCH', '/ar', { version: 0, langLocale: 'ar-EG' })
    expect(released.body.fields).toEqual([{ field: 'langLocale', error: 'not_in_list' }])
    expect((await ask('PATCH', '/ar', { version: 0, dateLocale: 'ar-EG' })).body.dateLocale).toBe('ar-EG')
  })

  test('two concurrent changes -> one conflict with the current record', async () => {
    const both = await Promise.all(
      ['A', 'B'].map((langName) => ask('PATCH', '/ar', { version: 0, langName })),
    )
    const [won, lost] = both.sort((a, b) => a.status - b.status)
    expect([won?.status, lost?.status, lost?.body.error]).toEqual([200, 409, 'conflict'])
    expect(lost?.body.data.current).toEqual(won?.body)
    expect(lost?.body.data).toMatchObject({
      by: 'Ada Admin',
      fields: [{ field: 'langName', theirs: won?.body.langName }],
    })
  })

  test('changes of other fields since the version was read -> all are stored', async () => {
    await ask('POST', '', { ...catalan, langLocale: 'ca-ES' })
    await save('ca-ES', 1, { 'common.close': 'Tanca' })
    await ask('PATCH', '/ca-ES', { version: 1, langName: 'Valencià' })
    const last = await ask('PATCH', '/ca-ES', { version: 1, dateLocale: 'ca-FR' })
    expect([last.status, last.body]).toMatchObject([
      200,
      { langName: 'Valencià', dateLocale: 'ca-FR', version: 4 },
    ])
  })
})

test('any change -> increments the version that open pages watch, and is in the audit log', async () => {
  const version = async () => (await app.services.settings.publicView()).languagesVersion
  const before = await version()
  await ask('POST', '', catalan)
  await save('ca', 1, { 'auth.password': 'Contrasenya' })
  await ask('POST', '/ca/make_default')
  expect(await version()).toBe(before + 3)
  const { rows } = await app.database.pool.query(
    `select action, subject, label, before, after from audit_log where kind = 'language' order by id desc limit 3`,
  )
  expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
    ['languages.makeDefault', 'ca'],
    ['languages.saveTexts', 'ca'],
    ['languages.create', 'ca'],
  ])
  expect(rows[0]).toMatchObject({ before: { default: false }, after: { default: true } })
  expect(rows[1].after).toEqual({ texts: [{ key: 'auth.password', text: 'Contrasenya' }] })
})
