import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An `onSend` hook: adds an ETag of the content, and replies 304 when the client already has it. */
export async function entityTag(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const tag = `W/"${createHash('sha1').update(payload).digest('base64url')}"`
  reply.header('etag', tag).header('cache-control', 'no-cache')
  if (!request.headers['if-none-match']?.split(/, */).includes(tag)) return payload
  reply.code(304).removeHeader('content-length').removeHeader('content-type')
  return ''
}
