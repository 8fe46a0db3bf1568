import type { StoredType } from './port.ts'

export type ImageType = StoredType | 'image/png'

/** The image type by a file's first bytes; null for anything else. */
export function imageType(bytes: Uint8Array): ImageType | null {
  const begins = (text: string, at = 0) =>
    Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  return null
}
