import type { AuditEntry } from '@hansom/contract/audit'
import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuditRecord, writeAudit } from '../../platform/audit/audit.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

let app: TestApp
let admin: string
let bearer: string
let driver: string
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps(), limits: { all: 1e6, signIn: 1e6 } })
  admin = await app.addUser({ email: 'ada@x.test', usertype: 'admin', firstName: 'Ada' })
  driver = await app.addUser({
    email: 'd@x.test',
    usertype: 'driver',
    firstName: 'José',
    lastName: 'Malvín',
  })
  bearer = await app.bearer('ada@x.test')
})
afterAll(() => app.close())

const write = (record: Partial<AuditRecord>) =>
  app.database.withTransaction((tx) =>
    writeAudit(tx, {
      by: admin,
      at: Date.UTC(2026, 10, 3, 15),
      action: 'promos.update',
      kind: 'promo',
      subject: uuidv7(),
      label: 'RAMBLA50',
      before: { min_order: 1 },
      after: { min_order: 2 },
      ...record,
    }),
  )
const list = async (query: string) => {
  const answer = await app.server.inject({
    url: `/api/v1/audit?${query}`,
    headers: { authorization: bearer },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ items: AuditEntry[]; next: string | null }>()
}

test('audit list: person, kind, action, day and search text -> matching records, newest first', async () => {
  await write({})
  await write({
    label: 'Malvín',
    kind: 'user',
    subject: driver,
    action: 'users.update',
    at: Date.UTC(2026, 10, 4, 15),
  })
  const labels = async (query: string) => (await list(query)).items.map(({ label }) => label)
  expect(await labels('')).toEqual(['Malvín', 'RAMBLA50'])
  expect(await labels('kind=promo')).toEqual(['RAMBLA50'])
  expect(await labels('action=users.update')).toEqual(['Malvín'])
  expect(await labels('at=2026-11-04..2026-11-04')).toEqual(['Malvín'])
  expect(await labels(`by_user=${driver}`)).toEqual([])
  expect(await labels(`by_user=${admin}&q=malvin`)).toEqual(['Malvín'])
  expect(await labels('q=ada rambla')).toEqual(['RAMBLA50'])
  const first = await list('limit=1')
  expect((await list(`limit=1&cursor=${first.next}`)).items.map(({ label }) => label)).toEqual(['RAMBLA50'])
  const count = await app.server.inject({ url: '/api/v1/audit/count', headers: { authorization: bearer } })
  expect(count.json()).toEqual({ count: 2, more: false })
})

test('audit list: ids among the values -> their names', async () => {
  const gone = uuidv7()
  await write({
    label: 'ids',
    before: { driver: null, fleetadmin: gone },
    after: { driver, fleetadmin: null },
  })
  const [entry] = (await list('q=ids')).items
  expect(entry).toMatchObject({
    by_name: 'Ada Person',
    after: { driver },
    names: { [driver]: 'José Malvín' },
  })
  expect(Object.keys(entry?.names ?? {})).toEqual([driver])
})

test('audit list: demo that hides contacts -> contacts hidden', async () => {
  const made = { email: 'rider@x.test', mobile: '+59899123456', firstName: 'R' }
  await write({ label: 'contacts', kind: 'user', action: 'users.create', before: null, after: made })
  expect((await list('q=contacts')).items[0]?.after).toEqual(made)
  const set = (AllowCriticalEditsAdmin: boolean) =>
    app.database.withTransaction((tx) => app.services.settings.update(tx, { AllowCriticalEditsAdmin }))
  await set(false)
  expect((await list('q=contacts')).items[0]?.after).toEqual({
    ...made,
    email: hiddenForDemo,
    mobile: hiddenForDemo,
  })
  await set(true)
})
