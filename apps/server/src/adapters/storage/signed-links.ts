import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { parseStoredPath, type Storage, type StoredPath } from './port.ts'

export interface SignedLinksOptions {
  /** The server's secret, from which the signing key is derived. */
  secret: string
  /** Epoch ms. */
  now: () => number
}

export type SignedLinks = Pick<Storage, 'signedUrl' | 'openSigned'>

const prefix = '/files/'
const form = /^\/files\/(?<path>[^?]+)\?expires=(?<expires>\d{1,12})&signature=(?<signature>[\w-]{43})$/
const longestSeconds = 3_600

/** Signed file URLs, `/files/<path>?expires=<epoch s>&signature=<HMAC-SHA256>`, valid until they expire. */
export function createSignedLinks({ secret, now }: SignedLinksOptions): SignedLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'addresses of files', 32))
  const signature = (path: string, expires: string) =>
    createHmac('sha256', key).update(`${expires}\n${path}`).digest()

  return {
    signedUrl: (path, seconds) => {
      if (!(Number.isInteger(seconds) && seconds >= 1 && seconds <= longestSeconds))
        throw new RangeError(`a signed URL is valid for 1 to ${longestSeconds} seconds, not ${seconds}`)
      const expires = String(Math.floor(now() / 1000) + seconds)
      return `${prefix}${path}?expires=${expires}&signature=${signature(path, expires).toString('base64url')}`
    },
    openSigned: (url): StoredPath | null => {
      const { path, expires, signature: given } = form.exec(url)?.groups ?? {}
      if (path === undefined || expires === undefined || given === undefined) return null
      const wanted = signature(path, expires)
      if (!timingSafeEqual(wanted, Buffer.from(given, 'base64url'))) return null
      return Number(expires) * 1000 > now() ? parseStoredPath(path) : null
    },
  }
}
