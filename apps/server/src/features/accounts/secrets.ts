import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Creates keyed digests. */
export interface Secrets {
  /**
   * Returns the digest under which a secret is stored. It cannot be made without the server's key, nor reversed with
   * it.
   */
  digest(purpose: string, ...parts: string[]): string
}

export function createSecrets(key: string): Secrets {
  return {
    digest: (purpose, ...parts) =>
      createHmac('sha256', key)
        .update(JSON.stringify([purpose, ...parts]))
        .digest('base64url'),
  }
}

/** 256 random bits, for links and ids that grant access. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Compares digests in constant time. */
export function isSameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** A signed value that its holder can read but not change; `until` is epoch ms. */
export function sealed(secrets: Secrets, purpose: string, value: object, until: number): string {
  const text = Buffer.from(JSON.stringify({ ...value, until })).toString('base64url')
  return `${text}.${secrets.digest(purpose, text)}`
}

/** Returns the value sealed for that purpose; null for an invalid or expired seal. */
export function unsealed<T extends object>(
  secrets: Secrets,
  purpose: string,
  seal: string | null,
  now: number,
): T | null {
  const [text, signature, ...rest] = seal?.split('.') ?? []
  if (!text || !signature || rest.length > 0) return null
  if (!isSameDigest(signature, secrets.digest(purpose, text))) return null
  const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as T & { until: number }
  return value.until > now ? value : null
}
