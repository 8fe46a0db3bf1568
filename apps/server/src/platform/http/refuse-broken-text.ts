import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance } from 'fastify'

/** A NUL, or half of a surrogate pair: legal in JSON, impossible in the database. */
const broken = /\0|\p{Cs}/u

/** Refuses requests with text that cannot be stored, before anybody looks at it. */
export function refuseBrokenText(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    if (request.url.includes('%00')) throw new Refusal('invalid_input')
  })
  server.addHook('preValidation', async (request) => {
    if (hasBrokenText(request.body)) throw new Refusal('invalid_input')
  })
}

/** Looks through keys and values without recursion: a body may be nested as deep as it is long. */
function hasBrokenText(body: unknown): boolean {
  const waiting = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string' && broken.test(value)) return true
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    for (const [key, item] of Object.entries(value)) {
      if (broken.test(key)) return true
      waiting.push(item)
    }
  }
  return false
}
