import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { unsubscribeInToken, unsubscribeToken } from './topic-token.ts'

let app: TestApp
let rita: string
let bearer: string
beforeAll(async () => {
  app = await createTestApp()
  rita = await app.addUser({ email: 'rita@x.test', usertype: 'rider', locale: 'ar' })
  bearer = await app.bearer('rita@x.test')
})
afterAll(() => app.close())

const all = ['booking', 'reminder', 'driver', 'receipt']
const call = async (method: 'GET' | 'PUT', payload?: object) => {
  const url = '/api/v1/me/messages'
  const response = await app.server.inject({
    method,
    url,
    headers: { authorization: bearer },
    ...(payload && { payload }),
  })
  return response.json()
}
const path = (topic: 'reminder' | 'receipt') =>
  new URL(app.services.messages.unsubscribeUrl(rita, topic)).pathname

describe('preferences', () => {
  test('nothing chosen -> every email, no text messages', async () => {
    expect(await call('GET')).toEqual({ mails: all, texts: false })
  })

  test('texts without a verified phone number -> stay off; with one -> on', async () => {
    expect(await call('PUT', { mails: all, texts: true })).toEqual({ mails: all, texts: false })
    await app.database.pool.query(
      `update users set mobile = '+59899123456', mobile_verified_at = 1 where id = $1`,
      [rita],
    )
    expect(await call('PUT', { mails: ['receipt', 'booking'], texts: true })).toEqual({
      mails: ['booking', 'receipt'],
      texts: true,
    })
    expect(await call('GET')).toEqual({ mails: ['booking', 'receipt'], texts: true })
    await call('PUT', { mails: all, texts: false })
  })
})

describe('unsubscribe', () => {
  test('GET -> a page in the language of the user, and nothing changes', async () => {
    const { statusCode, body, headers } = await app.server.inject({ url: path('reminder') })
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toContain('text/html')
    expect(body).toContain('<html lang="ar" dir="rtl">')
    expect(body).toContain('<form method="post">')
    expect((await call('GET')).mails).toEqual(all)
  })

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])('POST of a mail program as %s -> that topic is off, without signing in', async (type, payload) => {
    await call('PUT', { mails: all, texts: false })
    const post = () =>
      app.server.inject({
        method: 'POST',
        url: path('reminder'),
        headers: { 'content-type': type, origin: 'https://mail.example' },
        payload,
      })
    const answers = await Promise.all([post(), post(), post()])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect((await call('GET')).mails).toEqual(['booking', 'driver', 'receipt'])
  })

  test('link of a trusted contact who was removed -> works, also after they are added again', async () => {
    const { contacts, messages } = app.services
    const maria = { name: 'Maria', mobile: '', email: 'maria@x.test', share_always: false, on_help: false }
    const [contact] = await contacts.addContact(rita, maria)
    await contacts.removeContact(rita, contact?.id ?? '')
    const { pathname } = new URL(messages.refuseUrl(rita, contacts.digest('maria@x.test')))
    expect((await app.server.inject({ url: pathname })).statusCode).toBe(200)
    expect((await app.server.inject({ method: 'POST', url: pathname })).statusCode).toBe(200)
    expect(await contacts.addContact(rita, maria)).toMatchObject([{ refused: true }])
  })

  test('changed token, another server’s, or a deleted account -> not_found', async () => {
    const token = path('receipt').split('/').at(-1) ?? ''
    for (const wrong of [
      'x',
      `${token}A`,
      `A${token.slice(1)}`,
      unsubscribeToken('another secret', { id: rita, topic: 'receipt' }),
    ]) {
      const { statusCode } = await app.server.inject({ method: 'POST', url: `/api/v1/unsubscribe/${wrong}` })
      expect(statusCode, wrong).toBe(404)
    }
    const gone = await app.addUser({ email: 'gone@x.test', usertype: 'rider' })
    await app.database.pool.query('update users set deleted_at = 1, approved = false where id = $1', [gone])
    const url = new URL(app.services.messages.unsubscribeUrl(gone, 'receipt')).pathname
    expect((await app.server.inject({ url })).statusCode).toBe(404)
  })

  test('token -> read by the server that signed it, for that user and topic only', () => {
    for (const what of [
      { id: rita, topic: 'driver' },
      { id: rita, topic: 'contact', address: 'x-_9' },
    ] as const) {
      const token = unsubscribeToken('secret', what)
      expect(unsubscribeInToken('secret', token)).toEqual(what)
      expect(unsubscribeInToken('other', token)).toBeNull()
    }
    const unknown = unsubscribeToken('secret', { id: rita, topic: 'news' as 'driver' })
    expect(unsubscribeInToken('secret', unknown)).toBeNull()
  })
})
