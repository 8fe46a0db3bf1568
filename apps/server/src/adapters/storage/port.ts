import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'

declare const stored: unique symbol

/** Where a file lies: made by `storedPath` or read by `parseStoredPath`, and never text from outside. */
export type StoredPath = string & { readonly [stored]: true }

export const storedTypes = ['image/webp', 'image/jpeg'] as const
export type StoredType = (typeof storedTypes)[number]

export interface StoredFile {
  bytes: Uint8Array
  contentType: StoredType
}

/** Files that people gave. They are private: reached through the server alone, by permission or by a signed address. */
export interface Storage {
  /**
   * Stores a file whole or not at all, in place of the one that was there. Throws RangeError when the bytes are no image
   * of that type, StorageError when they could not be stored.
   */
  put(path: StoredPath, bytes: Uint8Array, contentType: StoredType): Promise<void>
  /** Null when there is none. */
  get(path: StoredPath): Promise<StoredFile | null>
  /**
   * Stores a part of an archive, in place of the one that was there. `name` is `archive/<table>/<partition>/<number>.jsonl.gz`;
   * throws RangeError for another one. Archives are read by the operator, not through the server.
   */
  archive(name: string, bytes: Uint8Array): Promise<void>
  /** Does nothing when there is none. */
  remove(path: StoredPath): Promise<void>
  /** Removes everything under `users/<uid>`. */
  removeUser(uid: string): Promise<void>
  /** An address on this server, beginning with `/files/`, that whoever has it may read for this many seconds, 1 to 3600. */
  signedUrl(path: StoredPath, seconds: number): string
  /** What an address made by `signedUrl` leads to; null when it was altered or its time is over. */
  openSigned(address: string): StoredPath | null
}

/** The storage did not do what was asked; trying again may help. */
export class StorageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StorageError'
  }
}

const id = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const idAlone = new RegExp(`^${id}$`)
const anyPath = new RegExp(
  `^(users/${id}/(profileImage|driverDocuments/\\d{1,16})|bookings/${id}/(pickup_image|deliver_image)|car-types/${id}/\\d{1,16})$`,
)

/** Every place a file can have. Each throws RangeError for an id that is none. */
export const storedPath = {
  profileImage: (uid: string) => made(`users/${checkedId(uid)}/profileImage`),
  /** `at`: when it was given, epoch ms. */
  driverDocument: (uid: string, at: number) => made(`users/${checkedId(uid)}/driverDocuments/${at}`),
  bookingImage: (bookingId: string, which: 'pickup_image' | 'deliver_image') =>
    made(`bookings/${checkedId(bookingId)}/${which}`),
  /** `at`: when it was given, epoch ms. Pictures that a later one has replaced stay: bookings show them. */
  carTypeImage: (carTypeId: string, at: number) => made(`car-types/${checkedId(carTypeId)}/${at}`),
}

const archiveName = /^archive\/[a-z_]+\/[a-z_0-9]+\/\d{5}\.jsonl\.gz$/

/** Throws RangeError for what is no name of a part of an archive. */
export function checkArchiveName(name: string): void {
  if (!archiveName.test(name)) throw new RangeError('this is no name for an archive')
}

/** The path a text is; null when it is none. */
export function parseStoredPath(text: string): StoredPath | null {
  return anyPath.test(text) ? (text as StoredPath) : null
}

/** The folder of a user's files, with a slash at its end. Throws RangeError for an id that is none. */
export function userFolder(uid: string): string {
  return `users/${checkedId(uid)}/`
}

function made(text: string): StoredPath {
  const path = parseStoredPath(text)
  if (path === null) throw new RangeError('this is no place for a file')
  return path
}

function checkedId(text: string): string {
  if (!idAlone.test(text)) throw new RangeError('this is no id')
  return text
}

export interface PreparedImage extends StoredFile {
  width: number
  height: number
}

/** Why a picture was not taken. `busy`: too many pictures at once, worth trying again. */
export type ImageRefusal = 'too_large' | 'format' | 'animated' | 'too_many_pixels' | 'damaged' | 'busy'

export class ImageRefused extends Error {
  readonly reason: ImageRefusal

  constructor(reason: ImageRefusal) {
    super(`the picture was not taken: ${reason}`)
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

/** What somebody is told whose picture could not be taken; what is no fault of picture or storage stays as it is. */
export function imageError(error: unknown): unknown {
  if (error instanceof ImageRefused) {
    return new Refusal(imageErrors[error.reason], { data: { reason: error.reason } })
  }
  return error instanceof StorageError ? new Refusal('unavailable') : error
}

/** The largest file taken as a picture: a route lets no larger body through. */
export const largestImageBytes = 10 * 1024 * 1024

export interface Images {
  /**
   * Makes a picture out of what somebody sent, if it is one (JPEG, PNG, WebP): drawn anew, upright, without anything that
   * was written beside it (place, camera), no side longer than `longestSide` pixels, 1600 when left out. Throws ImageRefused.
   */
  prepare(bytes: Uint8Array, longestSide?: number): Promise<PreparedImage>
}
