/**
 * Work that a browser does before a text message is sent: for each part a number is looked for, so that the SHA-256 digest
 * of `workText` begins with so many zero bits. Several small parts take nearly the same time for everybody; one large part
 * would take some people four times as long as others.
 */
export const workParts = 8
/** On average 2^12 digests for each part, 32,768 for all. */
export const workBits = 12

/** What the server asks for, and what it was asked with. */
export interface WorkOrder {
  /** Signed by the server; works once, for one number. */
  challenge: string
  parts: number
  bits: number
}
export interface Work {
  challenge: string
  /** One for each part. */
  nonces: number[]
}

/** The text whose digest counts. */
export function workText(challenge: string, part: number, nonce: number): string {
  return `${challenge}:${part}:${nonce}`
}

export function beginsWithZeros(digest: Uint8Array, bits: number): boolean {
  const whole = bits >> 3
  for (let index = 0; index < whole; index += 1) if (digest[index] !== 0) return false
  const rest = bits & 7
  return rest === 0 || (digest[whole] ?? 255) >> (8 - rest) === 0
}
