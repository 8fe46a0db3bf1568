import {
  type AppPushService,
  type AppRequest,
  startAppPushService,
} from '@hansom/doubles/push/app-push-service'
import { startWebPushService, type WebPushService } from '@hansom/doubles/push/web-push-service'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { vapid } from '../../test-app.ts'
import { expoSender } from './expo.ts'
import { fcmSender } from './fcm.ts'
import { PushError, type PushMessage } from './port.ts'
import { showMessage } from './push.fixture.ts'
import { webPushSender } from './web.ts'

const close = { close: { tags: ['request:b1'] } }
const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof PushError)) throw new Error(`not refused: ${String(error)}`)
  return error
}

describe('web push', () => {
  let service: WebPushService
  beforeEach(async () => {
    service = await startWebPushService()
  })
  afterEach(() => service.close())

  const sender = (changes: object = {}) =>
    webPushSender({ keys: vapid, subject: 'https://rides.test', hosts: [service.host], ...changes })
  const messageTo = (
    { endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } },
    content: PushMessage['content'] = showMessage('Rain'),
  ): PushMessage => ({
    target: { kind: 'web', token: endpoint, ...keys, platform: null },
    content,
    urgency: 'high',
    ttlS: 20,
    tag: 'request:b1',
  })

  test('message -> encrypted for the browser, signed for the service, with TTL, urgency and topic', async () => {
    const browser = service.subscribe(vapid.publicKey)
    const send = sender()
    await send(messageTo(browser.subscription))
    await send(messageTo(browser.subscription, close))
    expect(browser.received.map(({ content }) => content)).toEqual([showMessage('Rain'), close])
    const [{ headers: first } = { headers: null }, { headers: second } = { headers: null }] = browser.received
    expect(first).toEqual({ ttl: '20', urgency: 'high', topic: expect.stringMatching(/^[\w-]{32}$/) })
    // The same topic: the service replaces a message that is not delivered yet.
    expect(second?.topic).toBe(first?.topic)
  })

  test('message of the longest texts -> fits', async () => {
    const browser = service.subscribe(vapid.publicKey)
    const long = showMessage('中'.repeat(120))
    long.notification.body = '🚕'.repeat(500)
    await sender()(messageTo(browser.subscription, long))
    expect(browser.received[0]?.content).toEqual(long)
  })

  test.each([
    [404, 'unregistered', null],
    [410, 'unregistered', null],
    [429, 'temporary', null],
    [{ status: 429, retryAfter: '7' }, 'temporary', 7_000],
    [{ status: 503, retryAfter: 'soon' }, 'temporary', null],
    [500, 'temporary', null],
    [400, 'refused', null],
    [413, 'refused', null],
    [302, 'refused', null],
    ['reset', 'temporary', null],
  ] as const)('service: %j -> %s, retry after %s ms', async (reaction, failure, retryAfterMs) => {
    const browser = service.subscribe(vapid.publicKey)
    browser.reactions.push(reaction)
    const error = await failureOf(sender()(messageTo(browser.subscription)))
    expect([error.failure, error.retryAfterMs]).toEqual([failure, retryAfterMs])
    expect(error.message).not.toContain('/push/')
  })

  test('service does not respond -> temporary', async () => {
    const browser = service.subscribe(vapid.publicKey)
    browser.reactions.push('hang')
    const error = await failureOf(sender({ timeoutMs: 50 })(messageTo(browser.subscription)))
    expect([error.failure, error.message]).toEqual(['temporary', 'the push service timed out'])
  })

  test('Retry-After as a date -> the time until then', async () => {
    const browser = service.subscribe(vapid.publicKey)
    const retryAfter = new Date(Date.now() + 60_000).toUTCString()
    browser.reactions.push({ status: 429, retryAfter })
    const { retryAfterMs } = await failureOf(sender()(messageTo(browser.subscription)))
    expect(retryAfterMs).toBeGreaterThan(50_000)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  test('other keys of the server, or another host -> refused', async () => {
    const stranger = service.subscribe(`${vapid.publicKey.slice(0, -2)}AA`)
    expect((await failureOf(sender()(messageTo(stranger.subscription)))).failure).toBe('refused')
    const browser = service.subscribe(vapid.publicKey)
    expect((await failureOf(sender({ hosts: [] })(messageTo(browser.subscription)))).failure).toBe('refused')
    expect(browser.attempts).toBe(0)
  })
})

describe('push to apps', () => {
  let service: AppPushService
  beforeEach(async () => {
    service = await startAppPushService()
  })
  afterEach(() => service.close())
  const messageTo = (
    kind: 'fcm' | 'expo',
    content: PushMessage['content'] = showMessage('Rain'),
  ): PushMessage => ({
    target: { kind, token: 'the-token', p256dh: null, auth: null, platform: 'ANDROID' },
    content,
    urgency: 'high',
    ttlS: 20,
    tag: 'request:b1',
  })

  test('FCM: messages -> one access token; a closing message has data only', async () => {
    const send = fcmSender({ account: service.account, url: service.url })
    await send(messageTo('fcm'))
    await send(messageTo('fcm', close))
    const [first, last] = service.requests
    expect(first).toMatchObject({
      path: '/v1/projects/rides-test/messages:send',
      authorization: expect.stringMatching(/^Bearer access-\d$/),
      body: {
        message: {
          token: 'the-token',
          notification: { title: 'Rain', body: 'Take care' },
          data: { screen: 'BookedCab', link: 'https://rides.test/bookings', kind: 'news', at: '1' },
          android: {
            priority: 'HIGH',
            ttl: '20s',
            collapse_key: 'request:b1',
            notification: { tag: 'request:b1' },
          },
          apns: { headers: { 'apns-priority': '10', 'apns-collapse-id': 'request:b1' } },
        },
      },
    })
    expect(last?.body).toMatchObject({ message: { data: { close: 'request:b1' } } })
    expect(last?.body).not.toHaveProperty('message.notification')
  })

  const fcmFailure = (errorCode: string, more: object[] = [], message = 'Invalid') => ({
    error: { status: 'X', message, details: [{ errorCode }, ...more] },
  })
  const wrongField = (...fields: string[]) =>
    fcmFailure('INVALID_ARGUMENT', [{ fieldViolations: fields.map((field) => ({ field })) }])
  const noToken = 'The registration token is not a valid FCM registration token'
  test.each([
    [404, fcmFailure('UNREGISTERED'), 'unregistered', null],
    [403, fcmFailure('SENDER_ID_MISMATCH'), 'unregistered', null],
    [400, fcmFailure('INVALID_ARGUMENT'), 'refused', null],
    [400, fcmFailure('INVALID_ARGUMENT', [], noToken), 'unregistered', null],
    [400, wrongField('message.token'), 'unregistered', null],
    [400, wrongField('message.data[0].value'), 'refused', null],
    [400, wrongField('message.token', 'message.android.ttl'), 'refused', null],
    [404, {}, 'refused', null],
    [401, {}, 'temporary', null],
    [429, fcmFailure('QUOTA_EXCEEDED'), 'temporary', 30_000],
    [503, {}, 'temporary', 30_000],
  ] as const)('FCM: %s %j -> %s', async (status, body, failure, retryAfterMs) => {
    service.respond = () => ({ status, body, ...(status >= 429 && { retryAfter: '30' }) })
    const send = fcmSender({ account: service.account, url: service.url })
    const error = await failureOf(send(messageTo('fcm')))
    expect([error.failure, error.retryAfterMs]).toEqual([failure, retryAfterMs])
    expect(error.message).not.toContain('the-token')
    service.respond = () => ({ status: 200, body: {} })
    await send(messageTo('fcm'))
    // A refused token is replaced.
    expect(service.tokensIssued).toBe(status === 401 ? 2 : 1)
  })

  test('FCM: 20 messages at once, the token refused -> one request for a token each time', async () => {
    const send = fcmSender({ account: service.account, url: service.url })
    const sendMany = () =>
      Promise.allSettled(Array.from({ length: 20 }, async () => await send(messageTo('fcm'))))
    await sendMany()
    expect(service.tokensIssued).toBe(1)
    service.respond = ({ authorization }) => ({
      status: authorization === 'Bearer access-1' ? 401 : 200,
      body: {},
    })
    expect((await sendMany()).filter(({ status }) => status === 'rejected')).toHaveLength(20)
    // The refusals of the old token do not end the new one.
    await sendMany()
    expect(service.tokensIssued).toBe(2)
  })

  test('FCM: no access for the account -> temporary, and asked again', async () => {
    const token_uri = `${service.url}/missing`
    service.respond = ({ path }) =>
      path === '/missing' ? { status: 400, body: {} } : { status: 200, body: {} }
    const send = fcmSender({ account: { ...service.account, token_uri }, url: service.url })
    for (const attempt of [1, 2]) {
      expect((await failureOf(send(messageTo('fcm')))).failure).toBe('temporary')
      expect(service.requests).toHaveLength(attempt)
    }
  })

  test('Expo: accepted -> its receipt; receipts -> the devices that are gone', async () => {
    const { send, unregistered } = expoSender({ accessToken: 'key', url: service.url })
    service.respond = ({ path }: AppRequest) =>
      path.endsWith('/send')
        ? { status: 200, body: { data: { status: 'ok', id: 'r1' } } }
        : {
            status: 200,
            body: {
              data: {
                r1: { status: 'error', details: { error: 'DeviceNotRegistered' } },
                r2: { status: 'ok' },
              },
            },
          }
    expect(await send(messageTo('expo'))).toEqual({ receipt: 'r1' })
    expect(await unregistered(['r1', 'r2', 'r3'])).toEqual(['r1'])
    expect(service.requests.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/--/api/v2/push/send', 'Bearer key'],
      ['/--/api/v2/push/getReceipts', 'Bearer key'],
    ])
    expect(service.requests[0]?.body).toMatchObject({
      to: 'the-token',
      title: 'Rain',
      ttl: 20,
      priority: 'high',
      data: { screen: 'BookedCab' },
    })
  })

  test.each([
    [200, { data: { status: 'error', details: { error: 'DeviceNotRegistered' } } }, 'unregistered'],
    [200, { data: { status: 'error', details: { error: 'MessageRateExceeded' } } }, 'temporary'],
    [200, { data: { status: 'error', details: { error: 'MessageTooBig' } } }, 'refused'],
    [200, { odd: true }, 'refused'],
    [400, {}, 'refused'],
    [502, {}, 'temporary'],
  ] as const)('Expo: %s %j -> %s', async (status, body, failure) => {
    service.respond = () => ({ status, body })
    const { send } = expoSender({ accessToken: 'key', url: service.url })
    expect((await failureOf(send(messageTo('expo')))).failure).toBe(failure)
  })
})
