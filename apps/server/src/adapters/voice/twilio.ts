import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { readLimited } from '../read-limited.ts'
import { type CallAnswer, type Voice, VoiceError } from './port.ts'

export interface TwilioOptions {
  /** Default: the vendor's URL. */
  url?: string | undefined
  account: string
  /** The account's auth token, with which requests are signed. */
  token: string
  numbers: readonly string[]
  timeoutMs?: number
}

/** A longer call is ended, s. */
const longestCallS = 1_800
/** How long to wait for the number of a stop, which phones dial 2 or 3 s after the call is answered, s. */
const digitsTimeoutS = 8
const longestAnswer = 100_000

/** The list of an account's numbers: twilio.com/docs/phone-numbers/api/incomingphonenumber-resource */
const numberList = z.object({
  incoming_phone_numbers: z.array(
    z.object({ phone_number: z.string(), voice_url: z.string().nullable(), voice_method: z.string() }),
  ),
})

/** Masked calls through Twilio's Programmable Voice: each call to a number of the pool requests its instructions from us. */
export function twilioVoice(options: TwilioOptions): Voice {
  const { url = 'https://api.twilio.com', account, token, numbers, timeoutMs = 10_000 } = options
  const list = `${url.replace(/\/$/, '')}/2010-04-01/Accounts/${encodeURIComponent(account)}/IncomingPhoneNumbers.json`
  const authorization = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`

  const find = async (number: string) => {
    const response = await get(`${list}?PhoneNumber=${encodeURIComponent(number)}`, authorization, timeoutMs)
    if (response.status === 401) throw new VoiceError('the voice service refused the account or its token')
    if (response.status !== 200) throw new VoiceError(`the voice service returned HTTP ${response.status}`)
    const parsed = numberList.safeParse(parseJson(response.text))
    if (!parsed.success) throw new VoiceError('the voice service returned an invalid response')
    return parsed.data.incoming_phone_numbers.find(({ phone_number }) => phone_number === number)
  }

  return {
    service: 'Twilio',
    numbers,
    signatureHeader: 'x-twilio-signature',
    readCall: ({ url: called, form, signature }) => {
      const expected = Buffer.from(twilioSignature(called, form, token))
      const given = Buffer.from(signature)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      return { from: form.get('From') ?? '', to: form.get('To') ?? '', digits: form.get('Digits') }
    },
    write: (answer) => ({
      type: 'text/xml; charset=utf-8',
      body: `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs(answer)}</Response>`,
    }),
    check: async (webhook) => {
      for (const number of numbers) {
        const found = await find(number)
        if (!found) throw new VoiceError(`${number} is not a number of the account`)
        if (found.voice_url !== webhook || found.voice_method !== 'POST') {
          throw new VoiceError(`${number} does not send its calls by POST to ${webhook}`)
        }
      }
    },
  }
}

/** The service's voices for the languages of our texts; other texts are read by the account's default voice. */
const voices: Readonly<Record<string, string>> = {
  ar: 'Polly.Zeina',
  en: 'Polly.Joanna',
  es: 'Polly.Lupe',
  fr: 'Polly.Lea',
  hi: 'Polly.Aditi',
  pt: 'Polly.Camila',
  sv: 'Polly.Astrid',
  zh: 'Polly.Zhiyu',
}

function verbs(answer: CallAnswer): string {
  if (answer.kind === 'connect') {
    const caller = `callerId="${escaped(answer.shown)}"`
    const number = `<Number>${escaped(answer.to)}</Number>`
    return `<Dial answerOnBridge="true" ${caller} timeLimit="${longestCallS}">${number}</Dial>`
  }
  const voice = voices[answer.language.split('-')[0] ?? '']
  const say = `<Say${voice ? ` voice="${voice}"` : ''}>${escaped(answer.text)}</Say>`
  // Without an action, the digits are posted to this URL again; without digits, the next verb is run.
  return answer.kind === 'ask'
    ? `<Gather input="dtmf" timeout="${digitsTimeoutS}" numDigits="2"/>${say}`
    : say
}

const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[<>&"]/g, (sign) => entities[sign] ?? '')

/**
 * The signature of a Twilio request: base64 of HMAC-SHA1 over the URL and every parameter's name and value, sorted by name,
 * without separators. Source: twilio.com/docs/usage/security#validating-requests
 */
export function twilioSignature(url: string, form: URLSearchParams, token: string): string {
  const sorted = [...form].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const text = url + sorted.map(([name, value]) => name + value).join('')
  return createHmac('sha1', token).update(text).digest('base64')
}

async function get(url: string, authorization: string, timeoutMs: number) {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { headers: { authorization }, signal, redirect: 'error' })
    return { status: response.status, text: (await readLimited(response, longestAnswer)) ?? '' }
  } catch (error) {
    const why = error instanceof Error && error.name === 'TimeoutError' ? 'timed out' : 'is unreachable'
    throw new VoiceError(`the voice service ${why}`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
