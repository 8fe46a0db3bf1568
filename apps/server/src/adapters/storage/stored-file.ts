import { imageType } from './image-type.ts'
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
