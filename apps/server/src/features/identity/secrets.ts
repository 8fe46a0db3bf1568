import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Makes and checks what only this server can make. */
export interface Secrets {
  /** What is kept of a secret text: nobody can come back from it, or make one, without this server's key. */
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
