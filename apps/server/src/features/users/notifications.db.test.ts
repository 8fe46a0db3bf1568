import type { AddressInfo } from 'node:net'
import type { UserNotification } from '@hansom/contract/users'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { TestClient } from '../../platform/live/test-live.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import type { NewNotification } from './notifications.ts'

let app: TestApp
let rider: { id: string; authorization: string }
let other: { id: string; authorization: string }

beforeAll(async () => {
  app = await createTestApp()
  const add = async (email: string) => ({
    id: await app.addUser({ email, usertype: 'rider' }),
    authorization: await app.bearer(email),
  })
  rider = await add('rider@x.test')
  other = await add('other@x.test')
  await app.start()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())
beforeEach(() => app.database.pool.query('truncate user_notifications, notification_keys'))

type List = { items: UserNotification[]; next: string | null; unread: number; error?: string }

async function list(query = '', { authorization } = rider): Promise<List> {
  const url = `/api/v1/me/notifications${query}`
  return (await app.server.inject({ url, headers: { authorization } })).json()
}
async function read(payload: object, { authorization } = rider): Promise<{ read: number; error?: string }> {
  const url = '/api/v1/me/notifications/read'
  return (await app.server.inject({ method: 'POST', url, headers: { authorization }, payload })).json()
}
/** Today (UTC). */
const day = () => new Date().toISOString().slice(0, 10)
/** An alert whose matter is open: the scan ends all others. */
const openAlert = () => `alert:message_limit:${day()} mails dropped:${rider.id}`
const notify = (...notices: string[]) =>
  app.database.withTransaction((tx) =>
    app.services.users.notify(
      tx,
      notices.map(
        (notice, index): NewNotification => ({
          user_id: rider.id,
          at: index,
          title: `${notice}.title`,
          msg: `${notice}.msg`,
          screen: 'BookedCab',
          dedupe: notice.startsWith('alert.') ? openAlert() : notice,
        }),
      ),
    ),
  )
const titles = ({ items }: List) => items.map(({ title }) => title)

test('list: by kind and unread -> those, each with its kind, and the number of unread ones', async () => {
  await app.database.pool.query(
    `insert into message_counts (day, key, dropped) values ('${day()}', 'mails total', 1)`,
  )
  // A scan that had begun before does not know of the matter.
  await expect.poll(() => app.services.alerts.scan(), { timeout: 10_000 }).toBe(true)
  await notify('notify.accepted', 'notify.topped_up', 'alert.message_limit', 'notify.removed_long_ago')
  const all = await list()
  expect(all.items.map(({ kind }) => kind)).toEqual(['news', 'alerts', 'payments', 'trip'])
  expect(all.unread).toBe(4)
  expect(titles(await list('?kind=payments'))).toEqual(['notify.topped_up.title'])
  expect(titles(await list('?kind=alerts'))).toEqual(['alert.message_limit.title'])
  expect(titles(await list('?kind=chat'))).toEqual([])
  expect(titles(await list('?kind=news'))).toEqual(['notify.removed_long_ago.title'])
  expect(await read({ ids: all.items.slice(0, 2).map(({ id }) => id) })).toEqual({ read: 2 })
  expect(titles(await list('?unread=true'))).toEqual(['notify.topped_up.title', 'notify.accepted.title'])
  expect((await list('?kind=other')).error).toBe('invalid_input')
})

test('read: of another user, or twice -> nothing; without ids -> all', async () => {
  await notify('notify.accepted', 'notify.topped_up')
  const ids = (await list()).items.map(({ id }) => id)
  expect(await read({ ids }, other)).toEqual({ read: 0 })
  expect(await read({}, other)).toEqual({ read: 0 })
  const counts = await Promise.all([read({ ids }), read({ ids }), read({})])
  expect(counts.reduce((sum, { read }) => sum + read, 0)).toBe(2)
  expect((await list()).unread).toBe(0)
  expect((await read({ ids: [] })).error).toBe('invalid_input')
})

test('pages: several -> each notification once, in order', async () => {
  await notify(...Array.from({ length: 70 }, (_, at) => `notify.n${at}`))
  const seen: string[] = []
  let query = ''
  for (;;) {
    const page = await list(query)
    seen.push(...titles(page))
    if (page.next === null) break
    query = `?cursor=${page.next}`
  }
  expect(seen).toEqual(Array.from({ length: 70 }, (_, at) => `notify.n${69 - at}.title`))
})

test('live: stored or read -> the user’s other devices are informed, no one else', async () => {
  const { port } = app.server.server.address() as AddressInfo
  const connect = async ({ authorization }: typeof rider) => {
    const origin = `http://127.0.0.1:${port}`
    const client = new TestClient(
      new WebSocket(`ws://127.0.0.1:${port}/live`, { origin, headers: { authorization } }),
    )
    await client.frame('hello')
    await client.follow('notifications')
    return client
  }
  const clients = await Promise.all([rider, rider, other].map(connect))
  const eventsOf = (client: TestClient | undefined) => client?.frames.filter(({ t }) => t === 'ev').length
  await notify('notify.accepted')
  await expect.poll(() => clients.map(eventsOf), { timeout: 15_000 }).toEqual([1, 1, 0])
  await notify('notify.accepted')
  await read({})
  await expect.poll(() => clients.map(eventsOf), { timeout: 15_000 }).toEqual([2, 2, 0])
  await read({})
  expect(clients.map(eventsOf)).toEqual([2, 2, 0])
  for (const client of clients) client.ws.close()
})
