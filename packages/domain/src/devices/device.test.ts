import { expect, test } from 'vitest'
import {
  type EndpointUrl,
  isPushEndpoint,
  kindOfToken,
  platformOfSubscription,
  subscriptionProblems,
} from './device.ts'

/** As `URL` parses these; the domain has no `URL`. */
function parsed(text: string): EndpointUrl {
  const [, protocol = '', username = '', password = '', hostname = '', port = ''] =
    /^(\w+:)\/\/(?:([^:@/]*):([^@/]*)@)?([^/:]*):?(\d*)/.exec(text) ?? []
  return { protocol, username, password, hostname, port, host: port ? `${hostname}:${port}` : hostname }
}
const endpoint = 'https://fcm.googleapis.com/fcm/send/abc'
const url = parsed(endpoint)
const keys = { p256dh: `BN${'a'.repeat(85)}`, auth: 'b'.repeat(22) }

test.each([
  [endpoint, true],
  ['https://updates.push.services.mozilla.com/wpush/v2/abc', true],
  ['https://eu.updates.push.services.mozilla.com/wpush/v2/abc', true],
  ['https://wns2-par02p.notify.windows.com/w/?token=abc', true],
  ['https://web.push.apple.com/abc', true],
  ['http://fcm.googleapis.com/fcm/send/abc', false],
  ['https://fcm.googleapis.com:8443/fcm/send/abc', false],
  ['https://user:secret@fcm.googleapis.com/fcm/send/abc', false],
  ['https://fcm.googleapis.com.example/abc', false],
  ['https://evilnotify.windows.com/abc', false],
  ['https://push.apple.com.example/abc', false],
  ['https://127.0.0.1/abc', false],
  ['http://127.0.0.1:9000/abc', false],
  ['https://169.254.169.254/latest', false],
  ['file:///etc/passwd', false],
])('endpoint %s -> %s', (text, expected) => {
  expect(isPushEndpoint(parsed(text))).toBe(expected)
})

test('endpoint on a configured host -> allowed with its port; HTTP on loopback only', () => {
  const allows = (text: string) => isPushEndpoint(parsed(text), hosts)
  const hosts = ['127.0.0.1:9000', 'localhost', '.push.example', 'push.test']
  expect(allows('http://127.0.0.1:9000/a')).toBe(true)
  expect(allows('http://127.0.0.1:9001/a')).toBe(false)
  expect(allows('http://localhost/a')).toBe(true)
  expect(allows('https://eu.push.example/a')).toBe(true)
  expect(allows('http://push.test/a')).toBe(false)
  expect(allows('ftp://push.test/a')).toBe(false)
})

test('subscription: keys of the wrong length, alphabet or point format -> refused', () => {
  expect(subscriptionProblems({ url, keys })).toEqual([])
  expect(subscriptionProblems({ url, keys: { p256dh: `${keys.p256dh}=`, auth: `${keys.auth}==` } })).toEqual(
    [],
  )
  expect(subscriptionProblems({ url: null, keys })).toEqual([{ field: 'endpoint', error: 'not_in_list' }])
  const wrong = { field: 'keys.p256dh', error: 'wrong_type' }
  for (const p256dh of ['', 'B', `AN${'a'.repeat(85)}`, `BZ${'a'.repeat(85)}`, `BN${'a'.repeat(84)}+`]) {
    expect(subscriptionProblems({ url, keys: { ...keys, p256dh } })).toEqual([wrong])
  }
  expect(
    subscriptionProblems({ url: parsed('https://example.test/'), keys: { ...keys, auth: 'b' } }),
  ).toEqual([
    { field: 'endpoint', error: 'not_in_list' },
    { field: 'keys.auth', error: 'wrong_type' },
  ])
})

test('platform: contradicted by the push service -> a computer', () => {
  const apple = parsed('https://web.push.apple.com/abc')
  expect(platformOfSubscription(url, 'ANDROID')).toBe('ANDROID')
  expect(platformOfSubscription(apple, 'IOS')).toBe('IOS')
  expect(platformOfSubscription(apple, 'ANDROID')).toBeNull()
  expect(platformOfSubscription(url, 'IOS')).toBeNull()
  expect(platformOfSubscription(apple, null)).toBeNull()
})

test('token: of Expo or of Firebase', () => {
  expect(kindOfToken('ExponentPushToken[abc]')).toBe('expo')
  expect(kindOfToken('ExpoPushToken[abc]')).toBe('expo')
  expect(kindOfToken('dXYZ:APA91b')).toBe('fcm')
})
