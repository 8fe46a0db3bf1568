import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'

declare const stored: unique symbol

/** A file's path, created by `storedPath` or `parseStoredPath`, never from user input directly. */
export type StoredPath = string & { readonly [stored]: true }

export const storedTypes = ['image/webp', 'image/jpeg'] as const
export type StoredType = (typeof storedTypes)[number]

export interface StoredFile {
  bytes: Uint8Array
  contentType: StoredType
}

/** Uploaded files. They are private: accessible only through the server, with permission or a signed URL. */
export interface Storage {
  /**
   * Stores a file atomically, replacing an existing one. Throws RangeError if the bytes are not an image of that type,
   * StorageError if they could not be stored.
   */
  put(path: StoredPath, bytes: Uint8Array, contentType: StoredType): Promise<void>
  /** Null if the file does not exist. */
  get(path: StoredPath): Promise<StoredFile | null>
  /**
   * Stores an archive part, replacing an existing one. `name` is `archive/<table>/<partition>/<number>.jsonl.gz`;
   * throws RangeError for any other. Archives are read by the operator, not through the server.
   */
  archive(name: string, bytes: Uint8Array): Promise<void>
  /** Does nothing if the file does not exist. */
  remove(path: StoredPath): Promise<void>
  /** Removes everything under `users/<uid>`. */
  removeUser(uid: string): Promise<void>
  /** Removes everything under `bookings/<id>`. */
  removeBooking(id: string): Promise<void>
  /** Removes everything under `chats/<id>`: the photos of a booking's conversations. */
  removeChats(bookingId: string): Promise<void>
  /** A URL path starting with `/files/` that gives read access to anyone who has it, for 1 to 3600 seconds. */
  signedUrl(path: StoredPath, seconds: number): string
  /** The path of a URL from `signedUrl`; null if it was modified or has expired. */
  openSigned(address: string): StoredPath | null
}

/** A storage operation failed; retrying may help. */
export class StorageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StorageError'
  }
}

const id = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const idAlone = new RegExp(`^${id}$`)
const anyPath = new RegExp(
  `^(users/${id}/(profileImage|driverDocuments/\\d{1,16})|bookings/${id}/(pickup_image|deliver_image|stops/\\d{1,2}/(deliver_image|signature))(-${id})?|chats/${id}/${id}|car-types/${id}/\\d{1,16})$`,
)

/** Builders for every kind of path. They throw RangeError for an invalid id. */
export const storedPath = {
  profileImage: (uid: string) => toPath(`users/${checkedId(uid)}/profileImage`),
  /** `at`: upload time, epoch ms. */
  driverDocument: (uid: string, at: number) => toPath(`users/${checkedId(uid)}/driverDocuments/${at}`),
  /** `upload`: the UUID of an upload; null for the specification's path, which uploads had before. */
  bookingImage: (bookingId: string, which: 'pickup_image' | 'deliver_image', upload: string | null) =>
    toPath(`bookings/${checkedId(bookingId)}/${which}${suffix(upload)}`),
  /** `n`: the stop's number in its delivery. */
  stopImage: (bookingId: string, n: number, which: 'deliver_image' | 'signature', upload: string | null) =>
    toPath(`bookings/${checkedId(bookingId)}/stops/${n}/${which}${suffix(upload)}`),
  /** `upload`: the UUID of a photo's upload. */
  chatPhoto: (bookingId: string, upload: string) =>
    toPath(`chats/${checkedId(bookingId)}/${checkedId(upload)}`),
  /** `at`: upload time, epoch ms. Replaced pictures are not deleted because bookings show them. */
  carTypeImage: (carTypeId: string, at: number) => toPath(`car-types/${checkedId(carTypeId)}/${at}`),
}

const archiveName = /^archive\/[a-z_]+\/[a-z_0-9]+\/\d{5}\.jsonl\.gz$/

/** Throws RangeError unless `name` is an archive part. */
export function checkArchiveName(name: string): void {
  if (!archiveName.test(name)) throw new RangeError('invalid archive name')
}

/** Parses a path; null if it is invalid. */
export function parseStoredPath(text: string): StoredPath | null {
  return anyPath.test(text) ? (text as StoredPath) : null
}

/** The folder of a user's files, with a trailing slash. Throws RangeError for an invalid id. */
export function userFolder(uid: string): string {
  return `users/${checkedId(uid)}/`
}

/** The folder of a booking's files, with a trailing slash. Throws RangeError for an invalid id. */
export function bookingFolder(id: string): string {
  return `bookings/${checkedId(id)}/`
}

/** The folder of the photos in a booking's conversations, with a trailing slash. Throws RangeError for an invalid id. */
export function chatsFolder(bookingId: string): string {
  return `chats/${checkedId(bookingId)}/`
}

const suffix = (upload: string | null) => (upload === null ? '' : `-${checkedId(upload)}`)

function toPath(text: string): StoredPath {
  const path = parseStoredPath(text)
  if (path === null) throw new RangeError('invalid file path')
  return path
}

function checkedId(text: string): string {
  if (!idAlone.test(text)) throw new RangeError('invalid id')
  return text
}

export interface PreparedImage extends StoredFile {
  width: number
  height: number
}

/** Why an image was refused. `busy`: too many concurrent images, retry later. */
export type ImageRefusal = 'too_large' | 'format' | 'animated' | 'too_many_pixels' | 'damaged' | 'busy'

export class ImageRefused extends Error {
  readonly reason: ImageRefusal

  constructor(reason: ImageRefusal) {
    super(`image refused: ${reason}`)
    this.name = 'ImageRefused'
    this.reason = reason
  }
}

const imageErrors: Record<ImageRefusal, ErrorKey> = {
  too_large: 'too_large',
  too_many_pixels: 'too_large',
  format: 'unsupported_media',
  animated: 'unsupported_media',
  damaged: 'unsupported_media',
  busy: 'unavailable',
}

/** Converts an image or storage error to a refusal for the client; other errors are returned unchanged. */
export function imageError(error: unknown): unknown {
  if (error instanceof ImageRefused) {
    return new Refusal(imageErrors[error.reason], { data: { reason: error.reason } })
  }
  return error instanceof StorageError ? new Refusal('unavailable') : error
}

/** Maximum size of an uploaded image; also the body limit of upload routes. */
export const largestImageBytes = 10 * 1024 * 1024

export interface Images {
  /**
   * Re-encodes an uploaded image (JPEG, PNG, WebP): upright, without metadata (location, camera), with no side longer
   * than `longestSide` pixels (default 1600). Throws ImageRefused.
   */
  prepare(bytes: Uint8Array, longestSide?: number): Promise<PreparedImage>
}
