import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance } from 'fastify'

/** A NUL or an unpaired surrogate: legal in JSON, but PostgreSQL cannot store it. */
const invalidText = /\0|\p{Cs}/u

/** Rejects requests with text that cannot be stored, before validation. */
export function rejectInvalidUnicode(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    if (request.url.includes('%00')) throw new Refusal('invalid_input')
  })
  server.addHook('preValidation', async (request) => {
    if (hasBrokenText(request.body)) throw new Refusal('invalid_input')
  })
}

/** Searches keys and values without recursion, since a body may be nested arbitrarily deep. */
function hasBrokenText(body: unknown): boolean {
  const pending = [body]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'string' && invalidText.test(value)) return true
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    for (const [key, item] of Object.entries(value)) {
      if (invalidText.test(key)) return true
      pending.push(item)
    }
  }
  return false
}
