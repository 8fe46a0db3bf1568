import { imageType } from './image-type.ts'
import { parseStoredPath, type StoredFile, type StoredPath, type StoredType, storedTypes } from './port.ts'

/** Throws RangeError for a path that no builder made. */
export function checkPath(path: StoredPath): void {
  if (parseStoredPath(path) === null) throw new RangeError('this is no place for a file')
}

/** Throws RangeError when the bytes are something else: what is served later is served as what it is. */
export function checkType(bytes: Uint8Array, contentType: StoredType): void {
  if (imageType(bytes) !== contentType) throw new RangeError(`these bytes are no ${contentType}`)
}

/** A file as it came out of the store; null when something else lies there. */
export function readStored(bytes: Uint8Array): StoredFile | null {
  const found = imageType(bytes)
  const contentType = storedTypes.find((type) => type === found)
  return contentType === undefined ? null : { bytes, contentType }
}
