import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { twilioSignature, twilioVoice } from './twilio.ts'

const account = { account: 'AC123', token: '12345', numbers: ['+14155550100', '+14155550101'] }
const webhook = 'https://rides.example/api/v1/voice/calls'

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

/** The list of the account's numbers as documented, with where each sends its calls. */
const service = (urls: Record<string, string>) =>
  serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.test')
    const isOwner = request.headers.authorization === `Basic ${btoa('AC123:12345')}`
    if (!isOwner || pathname !== '/2010-04-01/Accounts/AC123/IncomingPhoneNumbers.json') {
      response.writeHead(isOwner ? 404 : 401).end()
      return
    }
    const number = searchParams.get('PhoneNumber') ?? ''
    const found = urls[number]
    const list = found === undefined ? [] : [{ phone_number: number, voice_url: found, voice_method: 'POST' }]
    response.end(JSON.stringify({ incoming_phone_numbers: list }))
  })

test("signature -> same as the example in the service's documentation", () => {
  const form = new URLSearchParams({
    To: '+18005551212',
    Digits: '1234',
    CallSid: 'CA1234567890ABCDE',
    From: '+14158675310',
    Caller: '+14158675310',
  })
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  expect(twilioSignature(url, form, '12345')).toBe('GvWf1cFY/Q7PnoempGyD5oXAezc=')
})

test('call: signed for this URL -> read; another URL, form, token or no signature -> null', () => {
  const voice = twilioVoice(account)
  const form = new URLSearchParams({ From: '+59899000001', To: '+14155550100', CallSid: 'CA1' })
  const signature = twilioSignature(webhook, form, '12345')
  expect(voice.readCall({ url: webhook, form, signature })).toEqual({
    from: '+59899000001',
    to: '+14155550100',
    digits: null,
  })
  const other = new URLSearchParams({ ...Object.fromEntries(form), From: '+59899000002' })
  for (const wrong of [
    { url: webhook, form: other, signature },
    { url: 'https://other.example/api/v1/voice/calls', form, signature },
    { url: webhook, form, signature: twilioSignature(webhook, form, '54321') },
    { url: webhook, form, signature: '' },
  ]) {
    expect(voice.readCall(wrong)).toBeNull()
  }
})

test('answers -> instructions without markup from texts', () => {
  const voice = twilioVoice(account)
  expect(voice.write({ kind: 'say', text: 'Rides & <more>', language: 'sv' })).toEqual({
    type: 'text/xml; charset=utf-8',
    body: '<?xml version="1.0" encoding="UTF-8"?><Response><Say voice="Polly.Astrid">Rides &amp; &lt;more&gt;</Say></Response>',
  })
  const { body } = voice.write({ kind: 'connect', to: '+59899000002', shown: '+14155550100' })
  expect(body).toContain('callerId="+14155550100"')
  expect(body).toContain('<Number>+59899000002</Number>')
  expect(body).not.toContain('<Gather')
  // Android dials two digits 3 s after the answer; without any, no one is called.
  expect(voice.write({ kind: 'ask', text: 'Not connected', language: 'en' }).body).toContain(
    '<Response><Gather input="dtmf" timeout="8" numDigits="2"/><Say voice="Polly.Joanna">Not connected</Say></Response>',
  )
})

test('check: all numbers send their calls here -> done; otherwise the problem, without the token', async () => {
  const checked = async (urls: Record<string, string>, more: object = {}) => {
    const voice = twilioVoice({ ...account, url: await service(urls), ...more })
    return voice.check(webhook).then(
      () => 'done',
      (error: Error) => error.message,
    )
  }
  const [one, two] = account.numbers as [string, string]
  expect(await checked({ [one]: webhook, [two]: webhook })).toBe('done')
  expect(await checked({ [one]: webhook })).toBe(`${two} is not a number of the account`)
  expect(await checked({ [one]: 'https://demo.example/voice', [two]: webhook })).toBe(
    `${one} does not send its calls by POST to ${webhook}`,
  )
  expect(await checked({}, { token: 'wrong' })).toBe('the voice service refused the account or its token')
  const silent = await serve(() => {})
  expect(await checked({}, { url: silent, timeoutMs: 50 })).toBe('the voice service timed out')
})
