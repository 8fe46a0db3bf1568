import { setTimeout as wait } from 'node:timers/promises'
import type { MapCallKind, MapFailure, MapService } from '@hansom/domain/geo/map-services'
import type { z } from 'zod'
import { readLimited } from '../../read-limited.ts'
import type { Breaker } from './breaker.ts'

/**
 * Time for one answer with its retry, ms. An estimate needs a route and then driving times, so that both together stay
 * below two seconds.
 */
export const answerMs = 900
/** Pause before the retry, ms. */
const pauseMs = 60
/** A retry with less time left is not sent, ms. */
const leastMs = 150
const longestAnswer = 4_000_000

/** A service gave no usable answer. Neither the message nor the cause contains a URL, since URLs contain keys. */
export class MapServiceError extends Error {
  constructor(
    readonly service: MapService,
    readonly failure: MapFailure,
    detail = '',
  ) {
    super(`${service}: ${failure}${detail === '' ? '' : ` (${detail})`}`)
    this.name = 'MapServiceError'
  }
}

/** Counts calls and enforces the daily cap. `units` is the number of billed units of one call. */
export interface CallMeter {
  /** Counts a call; false, without counting, if it would exceed the cap. */
  take(service: MapService, kind: MapCallKind, units: number): boolean
  failed(service: MapService, kind: MapCallKind): void
}

export interface ServiceRequest<T> {
  kind: MapCallKind
  /** Billed units, such as the elements of a matrix. Default 1. */
  units?: number
  url: URL
  headers?: Record<string, string>
  /** Sent as JSON by POST; without it the request is a GET. */
  body?: unknown
  /** The shape of a successful answer. */
  shape: z.ZodType<T>
  /** For services that report errors with status 200. */
  failureOf?: (answer: T) => MapFailure | null
  /** For services that report more than unusable input with another 4xx status than 401, 403 and 429. */
  failureOfProblem?: (problem: unknown) => MapFailure | null
}

/** A 4xx answer other than those about keys and rates has its JSON in `problem`. */
export type ServiceAnswer<T> = { answer: T } | { answer: null; status: number; problem: unknown }

/**
 * Sends a request to the service: with a time limit, one retry after failures that may pass, the circuit breaker and
 * the meter. Throws MapServiceError.
 */
export type ServiceCall = <T>(request: ServiceRequest<T>) => Promise<ServiceAnswer<T>>

export interface CallDeps {
  service: MapService
  meter: CallMeter
  breaker: Breaker
  /** Monotonic, ms. */
  now: () => number
  log: { warn(fields: object, message: string): void }
}

const passing: readonly MapFailure[] = ['network', 'rate_limited', 'server_error']

export function createServiceCall({ service, meter, breaker, now, log }: CallDeps): ServiceCall {
  return async (request) => {
    const { kind, units = 1 } = request
    if (breaker.state(now()) === 'open') throw new MapServiceError(service, 'breaker_open')
    const until = now() + answerMs
    const take = () => {
      if (!meter.take(service, kind, units)) throw new MapServiceError(service, 'cap_reached')
    }
    take()
    const period = breaker.begin()
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const answer = await send(service, request, Math.max(1, Math.ceil(until - now())))
          breaker.succeed(period)
          return answer
        } catch (error) {
          meter.failed(service, kind)
          const mayRetry =
            attempt === 1 &&
            error instanceof MapServiceError &&
            passing.includes(error.failure) &&
            until - now() > pauseMs + leastMs
          if (!mayRetry) throw error
        }
        await wait(pauseMs)
        take()
      }
    } catch (error) {
      // Also when the retry is over the cap: a probe without an outcome would keep the breaker open.
      if (breaker.fail(period, now())) log.warn({ err: error, service }, 'map service paused after failures')
      throw error
    }
  }
}

async function send<T>(
  service: MapService,
  { url, headers, body, shape, failureOf, failureOfProblem }: ServiceRequest<T>,
  timeoutMs: number,
): Promise<ServiceAnswer<T>> {
  const fail = (failure: MapFailure, detail?: string) => new MapServiceError(service, failure, detail)
  const signal = AbortSignal.timeout(timeoutMs)
  let status: number
  let text: string | null
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'user-agent': 'Hansom',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
      redirect: 'error',
    })
    status = response.status
    text = await readLimited(response, longestAnswer)
  } catch {
    throw fail(signal.aborted ? 'timeout' : 'network')
  }
  if (status === 401 || status === 403) throw fail('denied', String(status))
  if (status === 429) throw fail('rate_limited')
  if (status >= 500) throw fail('server_error', String(status))
  const json = text === null ? undefined : parse(text)
  if (status >= 400) {
    const failure = failureOfProblem?.(json) ?? null
    if (failure !== null) throw fail(failure, String(status))
    return { answer: null, status, problem: json }
  }
  const parsed = shape.safeParse(json)
  if (!parsed.success) throw fail('bad_answer')
  const failure = failureOf?.(parsed.data) ?? null
  if (failure !== null) throw fail(failure)
  return { answer: parsed.data }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
