import { createHmac, timingSafeEqual } from 'node:crypto'

const proofOf = (secret: string, id: string): string =>
  createHmac('sha256', secret).update(`payment return ${id}`).digest('base64url').slice(0, 22)

/**
 * The return URL with a proof known only to the provider and the payer's browser. Without it, a return neither ends nor
 * captures anything.
 */
export function signReturnUrl(address: string, secret: string, id: string): string {
  return `${address}?proof=${proofOf(secret, id)}`
}

export function hasReturnProof(query: URLSearchParams, secret: string, id: string): boolean {
  const [given, right] = [Buffer.from(query.get('proof') ?? ''), Buffer.from(proofOf(secret, id))]
  return given.length === right.length && timingSafeEqual(given, right)
}
