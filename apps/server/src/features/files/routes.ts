import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance } from 'fastify'
import type { Storage } from '../../adapters/storage/port.ts'

/** The longest validity of a signed URL; a cached copy must not outlive it by much. */
const privateSeconds = 300

/**
 * `/files/<path>?expires&signature`: a stored picture, for anyone with its signed URL. Anything else under /files is
 * not_found.
 */
export function mountFiles(server: FastifyInstance, storage: Pick<Storage, 'get' | 'openSigned'>): void {
  server.get('/files/*', async (request, reply) => {
    const path = storage.openSigned(request.url)
    const file = path === null ? null : await storage.get(path)
    if (file === null) throw new Refusal('not_found')
    return reply
      .header('content-type', file.contentType)
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', 'inline')
      .header('cache-control', `private, max-age=${privateSeconds}`)
      .send(file.bytes)
  })
}
