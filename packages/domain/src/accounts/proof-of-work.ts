/**
 * Work a browser does before a text message is sent: for each part it searches a number so that the SHA-256 digest of
 * `workText` begins with the required zero bits. Several small parts take nearly the same time for everyone; one large
 * part could take four times as long for some.
 */
export const workParts = 8
/** On average 2^12 digests per part, 32,768 in total. */
export const workBits = 12

/** The challenge from the server, with its parameters. */
export interface WorkOrder {
  /** Signed by the server; valid once, for one number. */
  challenge: string
  parts: number
  bits: number
}
export interface Work {
  challenge: string
  /** One for each part. */
  nonces: number[]
}

/** The text whose digest is checked. */
export function workText(challenge: string, part: number, nonce: number): string {
  return `${challenge}:${part}:${nonce}`
}

export function beginsWithZeros(digest: Uint8Array, bits: number): boolean {
  const fullBytes = bits >> 3
  for (let index = 0; index < fullBytes; index += 1) if (digest[index] !== 0) return false
  const rest = bits & 7
  return rest === 0 || (digest[fullBytes] ?? 255) >> (8 - rest) === 0
}
