import { expect, it, vi } from 'vitest'
import { newDevices, origin } from './device.fixture.ts'

const device = newDevices()
const receive = (message: object) => device().dispatch('push', { data: { json: () => message } })
const press = () => device().dispatch('notificationclick', { notification: device().shown[0] })
const message = (tag: string, path = '/trip/1') => ({
  notification: {
    title: `about ${tag}`,
    tag,
    navigate: `${origin}${path}`,
    data: { kind: 'trip', id: `id of ${tag}`, at: 1 },
  },
})
const tags = () => device().shown.map(({ tag }) => tag)

it('push -> shown with its page; a repeat with the same tag replaces it', async () => {
  await receive(message('a'))
  await receive(message('a'))
  await receive(message('b'))
  expect(device().shown.map(({ title }) => title)).toEqual(['about a', 'about b'])
  expect(device().shown[0]?.data).toMatchObject({ navigate: `${origin}/trip/1`, id: 'id of a' })
})

it('push about the page in front of the user -> not shown; another page, a test, or in the background -> shown', async () => {
  device().windows = [{ url: `${origin}/trip/1?x=1`, focused: true, sent: [] }]
  await receive(message('a'))
  expect(tags()).toEqual([])
  await receive(message('b', '/wallet'))
  const { notification } = message('test')
  await receive({ notification: { ...notification, data: { ...notification.data, kind: 'test' } } })
  device().windows = [{ url: `${origin}/trip/1`, focused: false, sent: [] }]
  await receive(message('c'))
  expect(tags()).toEqual(['b', 'test', 'c'])
})

it('handled elsewhere -> closed; others stay', async () => {
  await receive(message('a'))
  await receive(message('b'))
  await receive({ close: { tags: ['a', 'unknown'] } })
  expect(tags()).toEqual(['b'])
})

it('notification pressed -> an open window goes to its page, and it is read; none open -> a new one', async () => {
  device().windows = [{ url: `${origin}/wallet`, focused: false, sent: [] }]
  device().answers['/api/v1/me/notifications/read'] = () => new Response('{}')
  await receive(message('a', '/trip/1?chat=open'))
  await press()
  expect(device().windows).toMatchObject([{ url: `${origin}/wallet`, sent: [{ open: '/trip/1?chat=open' }] }])
  expect(device().bodies).toEqual([{ ids: ['id of a'] }])
  expect(device().shown).toEqual([])
  device().windows = []
  await receive(message('b'))
  await press()
  expect(device().windows.map(({ url }) => url)).toEqual([`${origin}/trip/1`])
})

it('open window without the app, or still starting -> led to the page all the same', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  device().windows = [{ url: `${origin}/api/v1/unsubscribe`, focused: false, takes: false, sent: [] }]
  await receive(message('a'))
  const pressed = press()
  await vi.advanceTimersByTimeAsync(3_000)
  await pressed
  vi.useRealTimers()
  expect(device().windows.map(({ url }) => url)).toEqual([`${origin}/trip/1`])
})

it('open window that may not be focused -> a new one', async () => {
  device().windows = [{ url: `${origin}/wallet`, focused: false, mayFocus: false, sent: [] }]
  await receive(message('a'))
  await press()
  expect(device().windows.map(({ url }) => url)).toEqual([`${origin}/wallet`, `${origin}/trip/1`])
})

it('subscription replaced -> registered again with what the page had registered', async () => {
  device().answers['/api/v1/push/key'] = () => new Response('{"key":"BK"}')
  device().answers['/api/v1/push/devices'] = () => new Response('{}')
  await device().dispatch('pushsubscriptionchange', {})
  expect(device().heard).toEqual([])

  const registered = { platform: 'ANDROID', locale: 'hi' }
  await device()
    .cache('hansom-device')
    .put('/offline/device', new Response(JSON.stringify(registered)))
  await device().dispatch('pushsubscriptionchange', { newSubscription: null })
  expect(device().subscribed).toEqual(['BK'])
  expect(device().bodies).toEqual([
    { ...registered, kind: 'web', endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' } },
  ])
})

it('sign-out -> no subscription and no notification stays; sign-in -> the subscription stays', async () => {
  await receive(message('a'))
  device().answers['/api/auth/sign-in/email'] = () => new Response('ok')
  await device().ask('/api/auth/sign-in/email', { method: 'POST' })
  expect([tags().length, device().unsubscribed]).toEqual([0, 0])
  await receive(message('a'))
  device().answers['/api/auth/sign-out'] = () => new Response('ok')
  await device().ask('/api/auth/sign-out', { method: 'POST' })
  expect([tags().length, device().unsubscribed]).toEqual([0, 1])
})
