import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { languageCookie } from '@hansom/contract/boot'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Encoding = 'br' | 'gzip'

/** Returns the best compression the client accepts; null for none. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  const accepted = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', quality] = part.trim().split(/ *; *q=/)
        return [name, quality === undefined ? 1 : Number(quality) || 0]
      }),
  )
  const takes = (name: string) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0
  return (['br', 'gzip'] as const).find(takes) ?? null
}

const cookie = new RegExp(`(?:^|; *)${languageCookie}=([^;]*)`)

/** Returns the language the visitor chose in this browser; null when none was chosen. */
export function chosenLocale(headers: IncomingHttpHeaders): string | null {
  const chosen = cookie.exec(headers.cookie ?? '')?.[1]
  return chosen === undefined ? null : decodeSafely(chosen)
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

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
