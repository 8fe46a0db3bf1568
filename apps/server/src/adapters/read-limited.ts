/** The text of an answer, read no further than `most` bytes; null when there is more. */
export async function readLimited(response: Response, most: number): Promise<string | null> {
  if (response.body === null) return ''
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop early ends the connection.
  for await (const part of response.body) {
    size += part.byteLength
    if (size > most) return null
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}
