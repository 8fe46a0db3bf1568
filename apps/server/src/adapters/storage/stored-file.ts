import { parseStoredPath, type StoredFile, type StoredPath, type StoredType, storedTypes } from './port.ts'

/** Throws RangeError for an invalid path. */
export function checkPath(path: StoredPath): void {
  if (parseStoredPath(path) === null) throw new RangeError('invalid file path')
}

/** Throws RangeError if the bytes are not of the given type, because files are served with their stored type. */
export function checkType(bytes: Uint8Array, contentType: StoredType): void {
  if (imageType(bytes) !== contentType) throw new RangeError(`the file is not ${contentType}`)
}

/** A file read from the store; null if it is not a supported image. */
export function readStored(bytes: Uint8Array): StoredFile | null {
  const found = imageType(bytes)
  const contentType = storedTypes.find((type) => type === found)
  return contentType === undefined ? null : { bytes, contentType }
}

type ImageType = StoredType | 'image/png'

/** The image type by a file's first bytes; null for anything else. */
export function imageType(bytes: Uint8Array): ImageType | null {
  const begins = (text: string, at = 0) =>
    Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  return null
}
