import { createHmac } from 'node:crypto'
import { fitsDefaultAlphabet } from '@hansom/domain/messages/sms-length'
import { z } from 'zod'
import { readLimited } from '../read-limited.ts'
import { checkNumber, type Sms, SmsError } from './port.ts'

export interface VonageOptions {
  /** Default: the vendor's URL. */
  url?: string | undefined
  key: string
  /** The account's signature secret, with the signature method SHA-256 HMAC; not the API secret. */
  secret: string
  /** A number, or a name of up to 11 letters and digits in countries that allow it. */
  from: string
  /** Epoch ms, real time: the service refuses requests with a clock difference of minutes. */
  now: () => number
  timeoutMs?: number
}

/** The response format: developer.vonage.com/en/api/sms */
const answer = z.object({ messages: z.array(z.object({ status: z.string() })).min(1) })

/** Temporary errors: throttled, internal error, too many connections (developer.vonage.com/en/api-errors/sms). */
const temporary = ['1', '5', '10']

/** Text messages through Vonage's SMS API with signed requests: the secret is never transmitted. */
export function vonageSms(options: VonageOptions): Sms {
  const { url = 'https://rest.nexmo.com', key, secret, from, now, timeoutMs = 10_000 } = options
  const endpoint = `${url.replace(/\/$/, '')}/sms/json`
  return {
    send: async ({ to, text }) => {
      checkNumber(to)
      const parameters: Record<string, string> = {
        api_key: key,
        from: from.replace(/^\+/, ''),
        to: to.slice(1),
        text,
        type: fitsDefaultAlphabet(text) ? 'text' : 'unicode',
        timestamp: String(Math.floor(now() / 1000)),
      }
      const sig = vonageSignature(parameters, secret)
      check(await post(endpoint, new URLSearchParams({ ...parameters, sig }), timeoutMs))
    },
  }
}

const longestAnswer = 100_000

interface Answer {
  status: number
  text: string
}

async function post(endpoint: string, body: URLSearchParams, timeoutMs: number): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(endpoint, { method: 'POST', body, signal, redirect: 'error' })
    return { status: response.status, text: (await readLimited(response, longestAnswer)) ?? '' }
  } catch (error) {
    const why = error instanceof Error && error.name === 'TimeoutError' ? 'timed out' : 'is unreachable'
    throw new SmsError(`the SMS service ${why}`, false)
  }
}

function check({ status, text }: Answer): void {
  if (status === 429 || status >= 500) throw refused(`HTTP ${status}`, false)
  if (status !== 200) throw refused(`HTTP ${status}`, true)
  const parsed = answer.safeParse(parseJson(text))
  if (!parsed.success) throw refused('an invalid response', false)
  const failed = parsed.data.messages.find((part) => part.status !== '0')
  if (failed) throw refused(`status ${failed.status}`, !temporary.includes(failed.status))
}

function refused(what: string, permanent: boolean): SmsError {
  return new SmsError(`the SMS service returned ${what}`, permanent)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The signature of a Vonage SMS API request: hexadecimal HMAC-SHA256 over `&name=value` of every parameter including
 * the timestamp but not the signature, sorted by name, with `&` and `=` in values replaced by `_`, without
 * percent-encoding.
 *
 * Source: "Signing messages" (developer.nexmo.com/concepts/guides/signing-messages); same as RequestSigning of the
 * vendor's Java library, whose test vector we use.
 */
export function vonageSignature(parameters: Readonly<Record<string, string>>, secret: string): string {
  const text = Object.keys(parameters)
    .filter((name) => name !== 'sig')
    .toSorted()
    .map((name) => `&${name}=${(parameters[name] ?? '').replace(/[&=]/g, '_')}`)
    .join('')
  return createHmac('sha256', secret).update(text).digest('hex')
}
