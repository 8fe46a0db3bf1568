import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Makes and checks what only this server can make. */
export interface Secrets {
  /** What is kept of a secret text. Without this server's key nobody can make one, and with it nobody can read the text back. */
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

/** 256 bits nobody can guess, for links and ids that open something. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Compares digests in a time that tells nothing. */
export function isSameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** A value that whoever holds it can read and cannot change; `until` is epoch ms. */
export function sealed(secrets: Secrets, purpose: string, value: object, until: number): string {
  const text = Buffer.from(JSON.stringify({ ...value, until })).toString('base64url')
  return `${text}.${secrets.digest(purpose, text)}`
}

/** What was sealed for that purpose; null when it was not, or its time is over. */
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
