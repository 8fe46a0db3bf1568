import { z } from 'zod'
import { readLimited } from '../read-limited.ts'
import { checkNumber, type Sms, SmsError } from './port.ts'
import { fitsDefaultAlphabet } from './text-alphabet.ts'
import { vonageSignature } from './vonage-signature.ts'

export interface VonageOptions {
  /** Without it the service's own. */
  url?: string
  key: string
  /** The signature secret of the account, whose signature method is set to SHA-256 HMAC; not the API secret. */
  secret: string
  /** A number, or a name of up to 11 letters and digits where the country allows it. */
  from: string
  /** The machine's time, epoch ms: the service refuses requests that are minutes off. */
  now: () => number
  timeoutMs?: number
}

/** Answers: developer.vonage.com/en/api/sms */
const answer = z.object({ messages: z.array(z.object({ status: z.string() })).min(1) })

/** Too fast, trouble on their side, too many connections (developer.vonage.com/en/api-errors/sms). */
const passing = ['1', '5', '10']

/** Text messages through the SMS API of Vonage, with signed requests: the secret itself is never sent. */
export function vonageSms(options: VonageOptions): Sms {
  const { url = 'https://rest.nexmo.com', key, secret, from, now, timeoutMs = 10_000 } = options
  const address = `${url.replace(/\/$/, '')}/sms/json`
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
      check(await post(address, new URLSearchParams({ ...parameters, sig }), timeoutMs))
    },
  }
}

const longestAnswer = 100_000

interface Answer {
  status: number
  text: string
}

async function post(address: string, body: URLSearchParams, timeoutMs: number): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(address, { method: 'POST', body, signal, redirect: 'error' })
    return { status: response.status, text: (await readLimited(response, longestAnswer)) ?? '' }
  } catch (error) {
    const why = error instanceof Error && error.name === 'TimeoutError' ? 'in time' : 'at all'
    throw new SmsError(`the text message service did not answer ${why}`, false)
  }
}

function check({ status, text }: Answer): void {
  if (status === 429 || status >= 500) throw refused(`HTTP ${status}`, false)
  if (status !== 200) throw refused(`HTTP ${status}`, true)
  const parsed = answer.safeParse(parseJson(text))
  if (!parsed.success) throw refused('something that is no answer of the SMS API', false)
  const failed = parsed.data.messages.find((part) => part.status !== '0')
  if (failed) throw refused(`status ${failed.status}`, !passing.includes(failed.status))
}

function refused(what: string, permanent: boolean): SmsError {
  return new SmsError(`the text message service answered ${what}`, permanent)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
