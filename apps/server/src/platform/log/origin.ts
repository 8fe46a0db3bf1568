import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/** The request that started the work that runs now. It is stored with the events and jobs that the work causes. */
export interface Origin {
  requestId: string
  /** The span that caused the work, as in the header of the same name; only if traces are collected. */
  traceparent?: string
}

const running = new AsyncLocalStorage<Origin | undefined>()

/** The origin of the work that runs now; undefined for work that the server does by itself. */
export const currentOrigin = (): Origin | undefined => running.getStore()

/** Runs work as part of its origin; undefined for work of the server itself. */
export function withOrigin<T>(origin: Origin | undefined, work: () => T): T {
  return running.run(origin, work)
}

/** Adds the current origin to the payload of an event or the data of a job. */
export function storeOrigin<T extends object>(payload: T): T & { origin?: Origin } {
  const origin = currentOrigin()
  return origin === undefined ? payload : { ...payload, origin }
}

/** The origin in a stored payload or data. */
export function storedOrigin(payload: unknown): Origin | undefined {
  return (payload as { origin?: Origin } | null)?.origin
}

/** Accepts the id of a proxy or client if it is well formed; otherwise makes one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w-]{16,64}$/.test(given) ? given : randomUUID()
}
