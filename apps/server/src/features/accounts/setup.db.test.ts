import type { CancelReason } from '@hansom/contract/cancel-reasons'
import arabicReasons from '@hansom/domain/languages/packs/ar/cancelReasons.json' with { type: 'json' }
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Region } from '../../adapters/maps/port.ts'
import { testMaps } from '../../adapters/maps/test-maps.fixture.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { usersTable } from '../users/table.ts'

let app: TestApp
let monaco: Region
let now = Date.UTC(2026, 0, 5, 23, 59)
const clock = { ...systemClock, now: () => now }
beforeAll(async () => {
  const { region } = await testMaps()
  monaco = { ...region, id: 'monaco', name: 'Monaco', countryCode: 'MC', currency: 'EUR' }
  app = await createTestApp({ clock, preparedMaps: { list: () => [monaco], dataDir: '/srv/maps' } })
})
afterAll(() => app.close())

const person = { firstName: 'First', lastName: 'Admin', password: 'abc123' }
const post = (payload: object) => app.server.inject({ method: 'POST', url: '/api/v1/setup', payload })
const isOpen = async () => (await app.server.inject({ url: '/api/v1/setup' })).json().open as boolean
const tokenOf = (link: string | null) => new URL(link ?? '', 'http://x').searchParams.get('token') ?? ''

test('setup: no link -> closed', async () => {
  expect(await isOpen()).toBe(false)
  expect((await post({ ...person, email: 'a@x.test', token: '' })).statusCode).toBe(404)
})

test('setup: admin left by a demo -> does not count as an admin', async () => {
  const demo = await app.addUser({ email: 'demo-admin@x.test', usertype: 'admin', demo: true })
  expect(await app.services.setup.openLink()).toContain('/setup?token=')
  expect(await isOpen()).toBe(true)
  await app.database.pool.query('delete from users where id = $1', [demo])
})

test('setup: opened by two servers -> the same link; another token -> refused', async () => {
  const second = await createTestApp({ clock, database: { ...app.database, close: async () => {} } })
  try {
    const token = tokenOf(await app.services.setup.openLink())
    expect(token).not.toBe('')
    expect(tokenOf(await second.services.setup.openLink())).toBe(token)
  } finally {
    await second.close()
  }
  expect(await isOpen()).toBe(true)
  for (const token of ['', 'guess']) {
    const answer = await post({ ...person, email: 'a@x.test', token })
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'forbidden'])
  }
})

test('setup: state -> the city and the other maps, for the token of the link only', async () => {
  const token = tokenOf(await app.services.setup.openLink())
  const stateOf = async (query: string) => (await app.server.inject({ url: `/api/v1/setup${query}` })).json()
  expect(await stateOf(`?token=${token}`)).toEqual({
    open: true,
    city: {
      id: 'montevideo',
      name: 'Montevideo',
      countryCode: 'UY',
      languages: ['es'],
      others: [{ id: 'monaco', name: 'Monaco', countryCode: 'MC' }],
      dataDir: '/srv/maps',
    },
  })
  for (const query of ['', '?token=', '?token=guess']) {
    expect(await stateOf(query)).toEqual({ open: true, city: null })
  }
})

test('setup: another map before there is an admin -> its currency and country; with money -> unchanged', async () => {
  const other = await createTestApp({ maps: { ...(await testMaps()), region: monaco } })
  const { settings, setup } = other.services
  const stored = async () => {
    const { code, country, restrictCountry } = await settings.current()
    return [code, country, restrictCountry]
  }
  await other.database.withTransaction((tx) => settings.update(tx, { code: 'CHF', restrictCountry: 'LI' }))
  await setup.openLink()
  expect(await stored()).toEqual(['EUR', 'MC', 'MC'])
  const { version } = await settings.current()
  await setup.openLink()
  expect((await settings.current()).version).toBe(version)

  await other.database.withTransaction(async (tx) => {
    await settings.update(tx, { code: 'CHF' })
    await tx.client.query(`with made as (insert into ledger_entries (id, at, kind, currency, key)
        values (gen_random_uuid(), 0, 'admin_credit', 'CHF', 'k') returning id)
      insert into ledger_legs (entry_id, position, account, amount)
        select id, position, account, amount from made, (values (0, 'platform', -5), (1, 'adjustment', 5)) legs (position, account, amount)`)
  })
  await setup.openLink()
  expect((await stored())[0]).toBe('CHF')
  await other.close()
})

test('setup: link of the day before yesterday, link before a newer one -> refused; of yesterday -> works', async () => {
  const statusOf = async (token: string) =>
    (await post({ ...person, password: 'short', email: 'a@x.test', token })).statusCode
  const hasCity = async (token: string) =>
    (await app.server.inject({ url: `/api/v1/setup?token=${token}` })).json().city !== null
  const token = tokenOf(await app.services.setup.openLink())
  now += 24 * 3_600_000
  expect([await statusOf(token), await hasCity(token)]).toEqual([400, true])
  now += 60_000
  expect([await statusOf(token), await hasCity(token)]).toEqual([403, false])
  const next = tokenOf(await app.services.setup.openLink())
  expect(next).not.toBe(token)
  expect([await statusOf(token), await statusOf(next)]).toEqual([403, 400])
  now += 24 * 3_600_000
  const newest = tokenOf(await app.services.setup.openLink())
  expect([await statusOf(next), await statusOf(newest)]).toEqual([403, 400])
})

test('setup: invalid password -> refused, and the link still works', async () => {
  const token = tokenOf(await app.services.setup.openLink())
  for (const password of ['short', 'not allowed!', '']) {
    const answer = await post({ ...person, password, email: 'a@x.test', token })
    expect([answer.statusCode, answer.json().error], password).toEqual([400, 'password_alphaNumeric_check'])
  }
  expect(await isOpen()).toBe(true)
})

test('setup: many concurrent calls -> one admin, and closed forever', async () => {
  const token = tokenOf(await app.services.setup.openLink())
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, number) => post({ ...person, email: `admin${number}@x.test`, token })),
  )
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, ...Array(7).fill(404)])
  const people = await app.database.db.select().from(usersTable)
  expect(people).toHaveLength(1)
  expect(people[0]).toMatchObject({ usertype: 'admin', approved: true })
  expect(await isOpen()).toBe(false)
  expect(await app.services.setup.openLink()).toBeNull()
  // Even after that admin is deleted.
  await app.database.db.delete(usersTable)
  expect(await app.services.setup.openLink()).toBeNull()
  expect((await app.server.inject({ url: `/api/v1/setup?token=${token}` })).json()).toEqual({
    open: false,
    city: null,
  })
  expect((await post({ ...person, email: 'b@x.test', token })).statusCode).toBe(404)
})

test('setup: first admin created -> six initial cancel reasons', async () => {
  const reasons = (await app.server.inject({ url: '/api/v1/cancel-reasons' })).json<CancelReason[]>()
  expect(reasons).toHaveLength(6)
  expect(reasons[0]?.label).toBe('The wait is too long')
  const translations = reasons[0]?.translations ?? {}
  expect(translations.ar).toEqual({ label: arabicReasons.starter_wait })
  const others = shippedLanguages.map(({ langLocale }) => langLocale).filter((locale) => locale !== 'en')
  expect(Object.keys(translations).sort()).toEqual(others.sort())
})
