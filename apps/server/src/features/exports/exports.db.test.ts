import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCarType, createScene, type Scene, type SceneUser } from '../../access-scene.fixture.ts'
import { buildExports } from '../../build-router.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

const secret = 'the secret of the tests of exports'
let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps(), authSecret: secret, limits: { all: 1e6, exports: 1e6 } })
  const carType = await createCarType(app.database)
  scene = await createScene(app.database, secret, { carType, isAssigned: true })
  await app.database.pool.query(
    `update bookings set booking_id = 'KX7Q2Z', customer_name = '=HYPERLINK("x")', driver_name = 'Zenón, "Zé"',
      pickup = '{"lat":0,"lng":0,"add":"Plaza Zabala 12"}', trip_cost = 1105000, driver_share = 1000000,
      convenience_fees = 105000, tripdate = $1`,
    [Date.parse('2026-03-01T02:30:00Z')],
  )
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { decimal: 2 }))
})
afterAll(() => app.close())

async function download(member: SceneUser | null, url: string, headers: Record<string, string> = {}) {
  const authorization = member === null ? {} : { authorization: scene.bearers[member] }
  // Each from its own IP address: rate limits are not tested here.
  const remoteAddress = `10.0.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`
  return app.server.inject({ method: 'GET', url, headers: { ...authorization, ...headers }, remoteAddress })
}
const lines = (text: string) =>
  text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')

describe('CSV export', () => {
  test('bookings -> translated headers, city time zone, plain amounts, no formulas', async () => {
    const answer = await download('admin', '/api/v1/exports/bookings?status=open&sort=-tripdate')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="bookings-\d{4}-\d{2}-\d{2}\.csv"$/,
    )
    expect(answer.body.startsWith('\ufeff"Booking","Status","Trip date"')).toBe(true)
    const [, row = ''] = lines(answer.body)
    expect(row).toContain('"KX7Q2Z","Driver on the way","2026-02-28 23:30:00"')
    expect(row).toContain(`"'=HYPERLINK(""x"")","Zenón, ""Zé"""`)
    expect(row).toContain('"UYU",110.50,10.50,100.00,0.00,"Cash"')
  })

  test('Arabic locale -> Arabic texts', async () => {
    const answer = await download('admin', '/api/v1/exports/bookings', { cookie: 'hansom-language=ar' })
    expect(lines(answer.body)[0]).toContain('"تاريخ الرحلة"')
    expect(lines(answer.body)[1]).toContain('"نقدًا"')
  })

  test('car type and reason -> in the reader’s language; an own text and the language of the city unchanged', async () => {
    const { pool } = app.database
    await pool.query(`update car_types set translations = '{"ar": {"name": "اقتصادية"}}'`)
    await pool.query(
      `insert into cancel_reasons (value, label, translations)
        values (100, 'Another plan', '{"ar": {"label": "تغيرت خططي"}}')`,
    )
    const exported = async (language: string, reason: string) => {
      await pool.query('update bookings set reason = $1', [reason])
      const headers = { cookie: `hansom-language=${language}` }
      return lines((await download('admin', '/api/v1/exports/bookings', headers)).body)[1] ?? ''
    }
    const arabic = await exported('ar', 'Another plan')
    expect(arabic).toContain('"تغيرت خططي"')
    expect(arabic).toContain('"اقتصادية"')
    expect(await exported('en', 'Another plan')).toContain('"Another plan"')
    expect(await exported('ar', 'duplicate')).not.toContain('"duplicate"')
    expect(await exported('ar', 'My own words')).toContain('"My own words"')
    await pool.query(`update bookings set reason = null`)
  })

  test('any role -> only the rows and contacts the reader may see', async () => {
    const [headers = '', row = ''] = lines((await download('rider', '/api/v1/exports/bookings')).body)
    expect(headers).not.toContain('Driver share')
    expect(row).not.toContain('100.00')
    expect(lines((await download('otherRider', '/api/v1/exports/bookings')).body)).toHaveLength(1)
    expect(lines((await download('otherFleetadmin', '/api/v1/exports/users')).body)).toHaveLength(1)
    const fleet = lines((await download('fleetadmin', '/api/v1/exports/users')).body)
    expect(fleet).toHaveLength(2)
    expect(fleet[0]).not.toContain('Wallet balance')
  })

  test('more than one page, with filters -> all matching rows', async () => {
    await app.database.pool.query(
      `insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id)
        select gen_random_uuid(), n, 'Many', n::text, n || '@many.test', 'rider', true, 'many' || n
        from generate_series(1, 1203) n`,
    )
    const all = lines((await download('admin', '/api/v1/exports/users?q=many&sort=createdAt')).body)
    expect(all).toHaveLength(1204)
    expect(all[1]).toContain('"1@many.test"')
    expect(all[1203]).toContain('"1203@many.test"')
    const one = lines((await download('admin', '/api/v1/exports/users?q=many+1203&usertype=rider')).body)
    expect(one).toHaveLength(2)
  })
})

test('languages table -> exported as well', async () => {
  const [headers, ...rows] = lines((await download('admin', '/api/v1/exports/languages?sort=-langName')).body)
  expect(headers).toContain('"Name","Language code"')
  const sorted = [...shippedLanguages].sort((a, b) => b.langName.localeCompare(a.langName, 'en'))
  expect(rows.map((row) => row.split(',')[1])).toEqual(sorted.map(({ langLocale }) => `"${langLocale}"`))
  expect(rows.find((row) => row.startsWith('"English"'))).toMatch(
    /^"English","en",.*"Left to right","Yes","Yes",(\d+),\1,/,
  )
})

describe('refused', () => {
  test.each([
    [null, 'bookings', 401, 'not_logged_in'],
    ['waiting', 'bookings', 403, 'require_approval'],
    ['rider', 'users', 404, 'not_found'],
    ['admin', 'nothing', 404, 'not_found'],
    ['admin', 'bookings?sort=name', 400, 'invalid_input'],
    ['admin', 'bookings?tripdate=2026-02-30..', 400, 'invalid_input'],
    ['fleetadmin', 'users?sort=walletBalance', 400, 'invalid_input'],
  ] as const)('%s of %s', async (member, table, status, error) => {
    const answer = await download(member, `/api/v1/exports/${table}`)
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([status, error])
  })

  test('demo closed for critical edits', async () => {
    const { settings } = app.services
    await app.database.withTransaction((tx) => settings.update(tx, { AllowCriticalEditsAdmin: false }))
    const answers = await Promise.all(
      buildExports(app.services).map(async ({ name }) => {
        const answer = await download('admin', `/api/v1/exports/${name}`)
        return [name, answer.statusCode === 200 || answer.json<{ error: string }>().error] as const
      }),
    )
    const always = ['cancel-reasons', 'car-types', 'driver-earnings', 'earnings', 'withdraws']
    expect(
      answers
        .filter(([, given]) => given === true)
        .map(([name]) => name)
        .sort(),
    ).toEqual(always)
    expect(new Set(answers.filter(([name]) => !always.includes(name)).map(([, error]) => error))).toEqual(
      new Set(['demo_mode']),
    )
    await app.database.withTransaction((tx) => settings.update(tx, { AllowCriticalEditsAdmin: true }))
  })
})
