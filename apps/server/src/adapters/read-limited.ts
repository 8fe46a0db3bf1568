/** The text of a response of at most `most` bytes; null if it is longer. */
export async function readLimited(response: Response, most: number): Promise<string | null> {
  if (response.body === null) return ''
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop early closes the connection.
  for await (const part of response.body) {
    size += part.byteLength
    if (size > most) return null
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}
