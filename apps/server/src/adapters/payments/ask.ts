import { readLimited } from '../read-limited.ts'
import { PaymentError } from './port.ts'

export interface Question {
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string>
  /** An object is sent as JSON, parameters as a form, text as it is. */
  body?: Record<string, unknown> | URLSearchParams | string
  timeoutMs?: number
}

export interface ProviderAnswer {
  status: number
  text: string
  /** The body read as JSON; undefined when it is none. */
  json: unknown
}

const longestAnswer = 2_000_000

/**
 * One request to a provider. Throws PaymentError when nothing usable comes back in time (15 s) or its server is in trouble
 * (5xx, 429); every other status is an answer. The address may hold secrets: only its host is ever named.
 */
export async function askProvider(url: string, question: Question = {}): Promise<ProviderAnswer> {
  const { method = 'GET', headers = {}, body, timeoutMs = 15_000 } = question
  const host = new URL(url).host
  let status: number
  let text: string | null
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...typeOf(body), ...headers },
      ...(body === undefined ? {} : { body: written(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    status = response.status
    text = await readLimited(response, longestAnswer)
  } catch (cause) {
    throw new PaymentError(`${host} does not answer`, { permanent: false, cause: nameOf(cause) })
  }
  if (status >= 500 || status === 429 || text === null) {
    throw new PaymentError(`${host} answers ${status}`, { permanent: false })
  }
  return { status, text, json: parsed(text) }
}

function typeOf(body: Question['body']): Record<string, string> {
  if (body === undefined || typeof body === 'string') return {}
  return {
    'content-type':
      body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json',
  }
}

function written(body: NonNullable<Question['body']>): string {
  if (typeof body === 'string') return body
  return body instanceof URLSearchParams ? body.toString() : JSON.stringify(body)
}

/** The kind of failure alone: the error of a request can name its whole address. */
function nameOf(cause: unknown): string {
  return cause instanceof Error ? cause.name : 'unknown'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
