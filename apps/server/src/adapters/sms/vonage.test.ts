import { createHmac } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { smsSuite } from './port.suite.ts'
import { vonageSignature, vonageSms } from './vonage.ts'

const account = { key: 'abcd1234', secret: 'the signature secret', from: 'Rides' }
const now = () => 1_700_000_000_999
const message = { to: '+59899123456', text: 'It is 123456', kind: 'code', params: {} }

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The service as documented: status 14 for an invalid signature. */
async function service(): Promise<{ url: string; taken: URLSearchParams[] }> {
  const taken: URLSearchParams[] = []
  const url = await serve(async (request, response) => {
    const sent = new URLSearchParams(await text(request))
    const signed = [...sent.keys()].filter((name) => name !== 'sig').sort()
    const toSign = signed.map((name) => `&${name}=${sent.get(name)?.replaceAll(/[&=]/g, '_')}`).join('')
    const genuine = createHmac('sha256', account.secret).update(toSign).digest('hex') === sent.get('sig')
    const fresh = Math.abs(Number(sent.get('timestamp')) * 1000 - now()) < 300_000
    const atItsPlace = request.method === 'POST' && request.url === '/sms/json'
    const status = !atItsPlace ? '2' : genuine && fresh && sent.get('api_key') === account.key ? '0' : '14'
    if (status === '0') taken.push(sent)
    response.end(JSON.stringify({ 'message-count': '1', messages: [{ status }] }))
  })
  return { url, taken }
}

smsSuite('vonage', async () => {
  const { url, taken } = await service()
  return {
    sms: vonageSms({ url, ...account, now }),
    received: async () => taken.map((one) => ({ to: `+${one.get('to')}`, text: one.get('text') ?? '' })),
  }
})

test("signature -> same as the vector of the vendor's Java library", () => {
  const parameters = { b: 'bananas', a: 'alphabet', timestamp: '2100', sig: 'left out' }
  expect(vonageSignature(parameters, 'abcde')).toBe(
    '8d1b0428276b6a070578225914c3502cc0687a454dfbbbb370c76a14234cb546',
  )
})

test('send -> account key but never the secret, unicode type for other alphabets', async () => {
  const { url, taken } = await service()
  const sms = vonageSms({ url: `${url}/`, ...account, from: '+59899000000', now })
  await sms.send(message)
  await sms.send({ ...message, text: 'Код 123456' })
  expect(taken.map((one) => one.get('type'))).toEqual(['text', 'unicode'])
  expect(taken[0]?.get('from')).toBe('59899000000')
  expect(taken[0]?.get('timestamp')).toBe('1700000000')
  expect(taken.join()).not.toContain('secret')
})

describe('send failures', () => {
  const failure = async (url: string, more: Partial<Parameters<typeof vonageSms>[0]> = {}) => {
    const error = await vonageSms({ url, ...account, now, ...more })
      .send(message)
      .then(
        () => null,
        (thrown: unknown) => thrown,
      )
    const all = error instanceof Error ? error.message + error.stack + JSON.stringify(error) : ''
    expect(all).not.toMatch(/59899123456|123456|signature secret/)
    return error
  }

  test('wrong secret or clock -> permanent SmsError', async () => {
    const { url } = await service()
    const refusal = { name: 'SmsError', permanent: true, message: expect.stringContaining('status 14') }
    expect(await failure(url, { secret: 'another' })).toMatchObject(refusal)
    expect(await failure(url, { now: () => now() - 3_600_000 })).toMatchObject(refusal)
  })

  test.each([
    ['1', false],
    ['5', false],
    ['10', false],
    ['6', true],
    ['9', true],
    ['15', true],
  ])('status %s in any part -> permanent is %j', async (status, permanent) => {
    const url = await serve((_request, response) => {
      response.end(
        JSON.stringify({ messages: [{ status: '0' }, { status, 'error-text': 'to 59899123456' }] }),
      )
    })
    expect(await failure(url)).toMatchObject({ name: 'SmsError', permanent })
  })

  test.each([
    [429, false],
    [503, false],
    [401, true],
  ])('HTTP %i -> permanent is %j', async (code, permanent) => {
    const url = await serve((_request, response) => void response.writeHead(code).end('no'))
    expect(await failure(url)).toMatchObject({ name: 'SmsError', permanent })
  })

  test.each(['', '<html>', '{}', '{"messages":[]}', '[]'])(
    'invalid response %j -> temporary SmsError',
    async (body) => {
      const url = await serve((_request, response) => void response.end(body))
      expect(await failure(url)).toMatchObject({ name: 'SmsError', permanent: false })
    },
  )

  test('timeout or redirect -> temporary SmsError', async () => {
    const silent = await serve(() => {})
    expect(await failure(silent, { timeoutMs: 50 })).toMatchObject({
      permanent: false,
      message: expect.stringContaining('timed out'),
    })
    const { url: elsewhere, taken } = await service()
    const moved = await serve((_request, response) => {
      response.writeHead(307, { location: `${elsewhere}/sms/json` }).end()
    })
    expect(await failure(moved)).toMatchObject({ permanent: false })
    expect(taken).toEqual([])
  })
})
