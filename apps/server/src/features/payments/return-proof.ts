import { createHmac, timingSafeEqual } from 'node:crypto'

const proofOf = (secret: string, id: string): string =>
  createHmac('sha256', secret).update(`payment return ${id}`).digest('base64url').slice(0, 22)

/**
 * The address a browser comes back to, with a proof that only the provider and the payer's browser have: without it nothing is
 * ended or taken, whatever the address says.
 */
export function provenReturn(address: string, secret: string, id: string): string {
  return `${address}?proof=${proofOf(secret, id)}`
}

export function isProvenReturn(query: URLSearchParams, secret: string, id: string): boolean {
  const [given, right] = [Buffer.from(query.get('proof') ?? ''), Buffer.from(proofOf(secret, id))]
  return given.length === right.length && timingSafeEqual(given, right)
}
