import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { mailSuite } from './port.suite.ts'
import type { Mail, MailMessage } from './port.ts'
import { mailOverTransport, smtpMail, smtpTransport } from './smtp.ts'
import {
  decodeHeader,
  decodeQuotedPrintable,
  type ReceivedMail,
  startSmtpServer,
  type TestSmtpServer,
  withStartTls,
} from './test-smtp-server.ts'

const from = 'Rides <rides@rides.example>'
const message: MailMessage = {
  to: 'ana@rides.example',
  subject: 'Your code',
  text: 'It is 123456',
  html: '<p>It is <b>123456</b></p>',
  kind: 'code',
  params: { code: '123456' },
}
const user = 'rides:p%40ss%2Fword'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(...options: Parameters<typeof startSmtpServer>): Promise<TestSmtpServer> {
  const server = await startSmtpServer(...options)
  closing.push(server.close)
  return server
}

function open(mail: Mail): Mail {
  closing.push(mail.close)
  return mail
}

mailSuite('smtp', async () => {
  const server = await serve()
  return {
    mail: open(smtpMail({ url: `smtp://127.0.0.1:${server.port}`, from })),
    received: async () =>
      server.received.map(({ recipients, headers, body }) => ({
        recipients,
        subject: decodeHeader(headers.get('subject') ?? ''),
        text: decodeBody(headers, body),
      })),
  }
})

function decodeBody(headers: ReceivedMail['headers'], body: string): string {
  const encoding = headers.get('content-transfer-encoding')
  const decoded = encoding === 'base64' ? Buffer.from(body, 'base64').toString() : decodeQuotedPrintable(body)
  return decoded.replaceAll('\r\n', '\n').trimEnd()
}

test('send: two messages -> authenticated, correct headers, one connection', async () => {
  const server = await serve({ authOptional: false })
  const mail = open(smtpMail({ url: `smtp://${user}@127.0.0.1:${server.port}`, from }))
  await mail.send({ ...message, subject: 'A\r\nBcc: eva@rides.example', html: '<p>It is <b>123456</b></p>' })
  await mail.send(message)
  const [first] = server.received
  expect(first?.headers.get('from')).toBe(from)
  expect(first?.headers.get('subject')).toBe('A Bcc: eva@rides.example')
  expect(first?.headers.has('bcc')).toBe(false)
  expect(first?.headers.get('auto-submitted')).toBe('auto-generated')
  expect(first?.headers.get('content-type')).toContain('multipart/alternative')
  expect(first?.body).toContain('<p>It is <b>123456</b></p>')
  expect(server.received).toHaveLength(2)
  expect(server.connections()).toBe(1)
})

describe('send failures', () => {
  const failing = (mail: Mail) =>
    mail.send(message).then(
      () => null,
      (error: unknown) => error,
    )

  test('wrong password -> EAUTH without the password in the error', async () => {
    const server = await serve()
    const mail = open(smtpMail({ url: `smtp://rides:hunter2@127.0.0.1:${server.port}`, from }))
    const error = await failing(mail)
    expect(error).toMatchObject({
      name: 'MailError',
      permanent: false,
      message: expect.stringContaining('EAUTH 535'),
    })
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hunter2')
  })

  test.each([
    [550, true],
    [450, false],
  ])('recipient refused with %i -> permanent is %j', async (responseCode, permanent) => {
    const refuse = Object.assign(new Error('no such mailbox: ana@rides.example'), { responseCode })
    const server = await serve({ onRcptTo: (_address, _session, done) => done(refuse) })
    const error = await failing(open(smtpMail({ url: `smtp://127.0.0.1:${server.port}`, from })))
    expect(error).toMatchObject({ name: 'MailError', permanent })
    expect((error as Error).message).not.toContain('ana@')
  })

  test('connection refused -> temporary MailError', async () => {
    const server = await startSmtpServer()
    await server.close()
    const mail = open(smtpMail({ url: `smtp://127.0.0.1:${server.port}`, from }))
    expect(await failing(mail)).toMatchObject({ name: 'MailError', permanent: false })
  })

  test('server that never greets -> temporary MailError after the timeout', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((ready) => void silent.listen(0, '127.0.0.1', ready))
    closing.push(() => silent.close())
    const { port } = silent.address() as AddressInfo
    const transport = { ...smtpTransport(`smtp://127.0.0.1:${port}`), greetingTimeout: 50 }
    expect(await failing(open(mailOverTransport(transport, from)))).toMatchObject({ permanent: false })
  })
})

describe('encryption', () => {
  test('transport -> TLS or STARTTLS, except for a server on localhost', () => {
    expect(smtpTransport('smtps://mail.example')).toMatchObject({
      port: 465,
      secure: true,
      requireTLS: false,
    })
    expect(smtpTransport('smtp://mail.example')).toMatchObject({
      port: 587,
      secure: false,
      requireTLS: true,
      ignoreTLS: false,
      auth: undefined,
    })
    expect(smtpTransport('smtp://localhost:1025')).toMatchObject({ requireTLS: false, ignoreTLS: true })
    expect(smtpTransport('smtp://[::1]:25')).toMatchObject({ host: '::1', ignoreTLS: true })
    expect(smtpTransport(`smtp://${user}@mail.example`).auth).toEqual({ user: 'rides', pass: 'p@ss/word' })
  })

  const elsewhere = (port: number) => ({
    ...smtpTransport(`smtp://${user}@mail.example`),
    host: '127.0.0.1',
    port,
  })

  test('server without STARTTLS -> receives neither password nor mail', async () => {
    let asked = false
    const server = await serve({
      onAuth: (_auth, _session, done) => {
        asked = true
        done(null, { user: 'rides' })
      },
    })
    await expect(open(mailOverTransport(elsewhere(server.port), from)).send(message)).rejects.toThrow('ETLS')
    expect(asked).toBe(false)
    expect(server.received).toEqual([])
  })

  test('untrusted certificate -> server receives neither password nor mail', async () => {
    const server = await serve(withStartTls)
    await expect(open(mailOverTransport(elsewhere(server.port), from)).send(message)).rejects.toThrow(
      'not sent',
    )
    const implicit = { ...smtpTransport('smtps://mail.example'), host: '127.0.0.1', port: server.port }
    await expect(open(mailOverTransport(implicit, from)).send(message)).rejects.toThrow('not sent')
    expect(server.received).toEqual([])
  })

  test('STARTTLS -> everything after it is encrypted', async () => {
    const server = await serve(withStartTls)
    const transport = elsewhere(server.port)
    const trusting = { ...transport, tls: { ...transport.tls, rejectUnauthorized: false } }
    await open(mailOverTransport(trusting, from)).send(message)
    expect(server.received).toMatchObject([{ encrypted: true }])
  })
})
