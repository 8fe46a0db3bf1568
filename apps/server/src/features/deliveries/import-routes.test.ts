import { randomUUID } from 'node:crypto'
import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import { importColumnNames } from '@hansom/domain/deliveries/import'
import { call } from '@orpc/server'
import { expect, test } from 'vitest'
import { os, type RequestContext } from '../../platform/http/implement.ts'
import { type ImportsService, importsRoutes } from './imports.ts'

const sender = randomUUID()
const id = randomUUID()
const file = { id, name: 'a.csv', created_at: 0, confirmed_at: null, counts: {}, due: 0, balance: 0 }
const empty = Object.fromEntries(importColumnNames.map((column) => [column, '']))
const data = { ...empty, phone: '099 111 222', person: 'Ada' }
const row = { n: 2, state: 'good', data, problems: [], plan: null, fare: null, reason: null, booking: null }
const changes: string[] = []
const change = (name: string) => async () => {
  changes.push(name)
  return file
}
const routes = importsRoutes(os, {
  start: change('start'),
  book: change('book'),
  stop: change('stop'),
  show: async () => ({ ...file, items: [row], next: null }),
} as unknown as ImportsService)
const as = (role: 'admin' | 'rider', isOpen: boolean) => ({
  path: ['deliveries', 'showImport'],
  context: {
    actor: { id: role === 'rider' ? sender : randomUUID(), role, approved: true },
    settings: async () => ({ AllowCriticalEditsAdmin: isOpen, category: 'delivery' as const }),
  } as unknown as RequestContext,
})

test('imports: admin of a closed demo -> demo_mode for changes, contacts hidden; others -> neither', async () => {
  const closed = as('admin', false)
  const body = { sender, name: 'a.csv', text: 'a' }
  await expect(call(routes.startImport, body, closed)).rejects.toMatchObject({ key: 'demo_mode' })
  for (const route of [routes.bookImport, routes.stopImport]) {
    await expect(call(route, { id, sender }, closed)).rejects.toMatchObject({ key: 'demo_mode' })
  }
  expect(changes).toEqual([])
  const shown = async (who: ReturnType<typeof as>, input: object) =>
    (await call(routes.showImport, { id, ...input }, who)).items[0]?.data
  expect(await shown(closed, { sender })).toEqual({ ...data, phone: hiddenForDemo })
  expect(await shown(as('admin', true), { sender })).toEqual(data)
  expect(await shown(as('rider', false), {})).toEqual(data)
  await call(routes.bookImport, { id }, as('rider', false))
  expect(changes).toEqual(['book'])
})
