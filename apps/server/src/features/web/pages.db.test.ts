import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Boot, UserBoot } from '@hansom/contract/boot'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import type { Category } from '@hansom/domain/settings/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { scriptedProvider } from '../payments/payments.fixture.ts'
import type { Site } from './web-build.ts'

let app: TestApp
const writtenAt = Date.now() + 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'hansom-web-test-'))
const page = (body: string) =>
  `<!doctype html><html lang="en" dir="ltr"><head><title><!--title--></title></head><body>${body}<!--boot--></body></html>`
const site: Site = {
  texts: {
    everywhere: ['common'],
    frame: ['palette'],
    frameForRole: {},
    onDemand: {
      notifications: [],
      offline: [],
      push: [],
      safety: [],
      contacts: [],
      shareContacts: [],
      alarms: [],
      chat: [],
      readChat: [],
      unsent: [],
    },
    pages: {
      '/': { texts: ['landing'], forRole: {}, framed: false, names: ['common.home'] },
      '/bookings': {
        texts: ['history'],
        forRole: { driver: ['driver'] },
        framed: true,
        names: ['menu.bookings'],
      },
      '/settings': { texts: ['settings'], forRole: {}, framed: true, names: ['menu.general_settings'] },
    },
  },
  files: {
    '/bookings': {
      all: { scripts: ['assets/bookings.js'], styles: ['assets/bookings.css'] },
      forRole: { driver: { scripts: ['assets/driver.js'], styles: [] } },
    },
  },
}

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  mkdirSync(join(folder, '.vite'))
  writeFileSync(join(folder, '.vite', 'site.json'), JSON.stringify(site))
  writeFileSync(join(folder, 'app.html'), page('shell'))
  writeFileSync(join(folder, 'index.taxi.en.html'), page('welcome'))
  writeFileSync(join(folder, 'index.taxi.ar.html'), page('مرحبا'))
  writeFileSync(join(folder, 'index.delivery.en.html'), page('parcels'))
  writeFileSync(join(folder, 'assets', 'main-abc123.js'), 'export {}')
  writeFileSync(join(folder, 'assets', 'main-abc123.js.br'), 'compressed')
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  app = await createTestApp({
    webFolder: folder,
    clock: manualClock(writtenAt),
    payments: [scriptedProvider('stripe').provider],
  })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.server.inject({ url, headers })
const dataOf = (html: string, id: string) =>
  JSON.parse(new RegExp(`id="${id}">(.*?)</script>`, 's').exec(html)?.[1] ?? 'null')
const bootOf = (html: string): Boot => dataOf(html, 'boot')
const userOf = (html: string): UserBoot | null => dataOf(html, 'user')

test('front page: language chosen -> prerendered in it, otherwise in the default, not the browser’s language', async () => {
  const english = await get('/')
  expect(english.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(english.body).toContain('welcome')
  expect((await get('/', { 'accept-language': 'ar-EG, en;q=0.5' })).body).toContain('welcome')
  const chosen = await get('/?x=1', { cookie: 'a=b; hansom-language=ar', 'accept-language': 'en' })
  expect(chosen.body).toContain('<html lang="ar" dir="rtl">')
  expect((await get('/', { cookie: 'hansom-language=%zz' })).body).toContain('welcome')
})

test('front page: delivery installation -> the one prerendered for deliveries', async () => {
  const turn = (category: Category) =>
    app.database.withTransaction((tx) => app.services.settings.update(tx, { category }))
  await turn('delivery')
  const { body } = await get('/')
  await turn('taxi')
  expect(body).toContain('parcels')
  expect(bootOf(body).settings.category).toBe('delivery')
  expect((await get('/')).body).toContain('welcome')
})

test('other pages: the shell, with all data for the first render', async () => {
  await app.addUser({ email: 'rider@x.test', usertype: 'rider', firstName: '</script><b>' })
  const authorization = await app.bearer('rider@x.test')
  const cookie = `hansom.session_token=${encodeURIComponent(authorization.slice('Bearer '.length))}`
  const answer = await get('/trip/1', { cookie })
  expect(answer.body).toContain('shell')
  expect((await get('/', { cookie })).body).toContain('shell')
  expect(answer.body).toContain('<title>Hansom</title>')
  expect(answer.body).not.toContain('</script><b>')
  const boot = bootOf(answer.body)
  expect(boot).toMatchObject({ settings: { appName: 'Hansom' }, pack: { langLocale: 'en' } })
  expect(boot.languages.map(({ langLocale }) => langLocale)).toEqual(
    shippedLanguages.map(({ langLocale }) => langLocale),
  )
  expect(userOf(answer.body)).toMatchObject({
    me: { firstName: '</script><b>' },
    clock: { now: writtenAt, speed: 1 },
  })
  expect(userOf((await get('/about-us')).body)).toBeNull()
})

test("checkout page: only it may load its provider's hosts", async () => {
  await app.addUser({ email: 'payer@x.test', usertype: 'rider' })
  const authorization = await app.bearer('payer@x.test')
  const policyOf = async (url: string) =>
    (await get(url, { authorization })).headers['content-security-policy']
  const opened = await policyOf('/checkout/stripe/01914de9-2cd4-7722-82bd-4d43ffed0c8a')
  expect(opened).toContain("form-action 'self' https://pay.example;")
  expect(opened).toContain("frame-src 'self' https://frame.example;")
  expect(opened).toContain("script-src 'self' 'wasm-unsafe-eval';")
  for (const url of ['/bookings', '/checkout?error=conflict', '/checkout/paypal/1', '/trip/stripe']) {
    expect(await policyOf(url), url).not.toContain('.example')
  }
})

test('page with user data -> not cached', async () => {
  await app.addUser({ email: 'kept@x.test', usertype: 'rider' })
  const authorization = await app.bearer('kept@x.test')
  for (const url of ['/', '/about-us', '/bookings']) {
    expect((await get(url, { authorization })).headers['cache-control'], url).toBe('no-store')
  }
  expect((await get('/about-us')).headers['cache-control']).toBe('no-cache, private')
})

test('page that the user may not open -> sign-in, and from there back', async () => {
  const signedOut = await get('/trip/1?from=mail')
  expect([signedOut.statusCode, signedOut.headers.location]).toEqual([
    302,
    '/login?next=%2Ftrip%2F1%3Ffrom%3Dmail',
  ])
  await app.addUser({ email: 'other@x.test', usertype: 'rider' })
  await app.addUser({ email: 'admin@x.test', usertype: 'admin' })
  const cookieOf = async (email: string) =>
    `hansom.session_token=${encodeURIComponent((await app.bearer(email)).slice('Bearer '.length))}`
  const rider = await cookieOf('other@x.test')
  expect((await get('/settings', { cookie: rider })).headers.location).toBe('/login?next=%2Fsettings')
  expect((await get('/bookings', { cookie: rider })).statusCode).toBe(200)
  const admin = await cookieOf('admin@x.test')
  expect((await get('/settings', { cookie: admin })).statusCode).toBe(200)
  expect((await get('/login', { cookie: admin })).statusCode).toBe(200)
})

const groupsOf = ({ pack }: Boot) => [
  ...new Set(Object.keys(pack.keyValuePairs).map((key) => key.split('.', 1)[0])),
]

test("texts: page -> its own texts for the user's role", async () => {
  await app.addUser({ email: 'texts@x.test', usertype: 'driver' })
  const authorization = await app.bearer('texts@x.test')
  const visitor = bootOf((await get('/')).body)
  expect(groupsOf(visitor)).toEqual(['common', 'landing'])
  expect(visitor.texts).toEqual(['common', 'landing'])
  const driver = bootOf((await get('/bookings', { authorization })).body)
  expect(groupsOf(driver).sort()).toEqual(['common', 'driver', 'history', 'menu', 'palette'])
  expect(driver.pack.keyValuePairs['menu.bookings']).toBe('Booking history')
  expect(driver.pack.keyValuePairs['menu.general_settings']).toBeUndefined()
  expect(groupsOf(bootOf((await get('/nothing')).body))).toEqual(['common'])
})

test('files: page -> preloads its code and that of the role', async () => {
  const authorization = await app.bearer('texts@x.test')
  const driver = (await get('/bookings', { authorization })).body
  expect(driver).toContain('<link rel="stylesheet" crossorigin href="/assets/bookings.css">')
  expect(driver).toContain('<link rel="modulepreload" crossorigin href="/assets/driver.js">')
  const rider = (await get('/bookings', { authorization: await app.bearer('rider@x.test') })).body
  expect(rider).toContain('/assets/bookings.js')
  expect(rider).not.toContain('/assets/driver.js')
})

test('compression: page with or without user data -> the best encoding the browser accepts', async () => {
  const authorization = await app.bearer('texts@x.test')
  const viewers: Record<string, string>[] = [{}, { authorization }]
  for (const headers of viewers) {
    const plain = await get('/about-us', headers)
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([
      undefined,
      'cookie, accept-encoding',
    ])
    const zipped = await get('/about-us', { ...headers, 'accept-encoding': 'gzip' })
    expect([zipped.headers['content-encoding'], gunzipSync(zipped.rawPayload).toString()]).toEqual([
      'gzip',
      plain.body,
    ])
    const small = await get('/about-us', { ...headers, 'accept-encoding': 'gzip, br' })
    expect([small.headers['content-encoding'], brotliDecompressSync(small.rawPayload).toString()]).toEqual([
      'br',
      plain.body,
    ])
    expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  }
})

test('ETag: page the browser has -> not sent again until settings or texts change', async () => {
  const first = await get('/about-us', { 'accept-encoding': 'br' })
  const headers = { 'if-none-match': String(first.headers.etag) }
  const again = await get('/about-us', headers)
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag])
  expect((await get('/', headers)).statusCode).toBe(200)
  expect((await get('/nothing', headers)).statusCode).toBe(404)
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { appName: 'Tagged' }))
  const changed = await get('/about-us', headers)
  expect([changed.statusCode, changed.body.includes('Tagged')]).toEqual([200, true])
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { appName: 'Hansom' }))
})

test("shared pages: after a signed-in user's request -> no user data", async () => {
  await app.addUser({ email: 'alone@x.test', usertype: 'rider', firstName: 'Solitaria' })
  const authorization = await app.bearer('alone@x.test')
  const own = await get('/', { authorization })
  expect(own.body).toContain('Solitaria')
  expect(own.headers.etag).toBeUndefined()
  const other = await get('/', { authorization: await app.bearer('rider@x.test') })
  const visitor = await get('/')
  expect(other.body + visitor.body).not.toContain('Solitaria')
  expect(userOf(visitor.body)).toBeNull()
})

test('first data: driver -> their work state in the page; stranger -> no trip', async () => {
  const authorization = await app.bearer('texts@x.test')
  const first = userOf((await get('/bookings', { authorization })).body)?.first
  expect(first?.driver).toMatchObject({ driverActiveStatus: false })
  expect(first?.topics).toEqual({ bookings: [], requests: [] })
  for (const id of ['01914de9-2cd4-7722-82bd-4d43ffed0c8a', 'x', "1'"]) {
    const page = await get(`/trip/${id}`, { authorization })
    expect([page.statusCode, userOf(page.body)?.first], id).toEqual([200, { topics: {} }])
  }
})

test('app name with markup -> escaped as text', async () => {
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { appName: '<i>$& Cab' }))
  expect(/<title>.*<\/title>/.exec((await get('/')).body)?.[0]).toBe('<title>&lt;i>$&amp; Cab</title>')
})

test('hashed files -> immutable, and sent precompressed where available', async () => {
  const script = await get('/assets/main-abc123.js', { 'accept-encoding': 'br' })
  expect([script.statusCode, script.body, script.headers['content-encoding']]).toEqual([
    200,
    'compressed',
    'br',
  ])
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600')
})

test('unknown path -> the shell with status 404', async () => {
  for (const url of ['/nothing', '/.env', '/trip', '/dashboard/x']) {
    const answer = await get(url)
    expect([answer.statusCode, answer.body.includes('shell')], url).toEqual([404, true])
  }
  for (const url of ['/', '/?x=1', '/login/', '/track/abc'])
    expect((await get(url)).statusCode, url).toBe(200)
})

test('request by a program -> never a page', async () => {
  for (const url of ['/api/v1/nothing', '/api', '/assets/gone-123.js', '/googleapis-nothing', '/live']) {
    const answer = await get(url)
    expect([answer.statusCode, answer.json().error], url).toEqual([404, 'not_found'])
  }
  expect((await app.server.inject({ method: 'POST', url: '/trip/1', payload: {} })).statusCode).toBe(404)
})

test('content security policy: own scripts only', async () => {
  const policy = String((await get('/')).headers['content-security-policy'])
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
  expect(policy).toContain("worker-src 'self' blob:")
  expect(policy).not.toContain('upgrade-insecure-requests')
})
