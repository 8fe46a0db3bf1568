import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import {
  bookingFolder,
  chatsFolder,
  checkArchiveName,
  type Storage,
  StorageError,
  userFolder,
} from './port.ts'
import type { SignedLinks } from './signed-links.ts'
import { checkPath, checkType, readStored } from './stored-file.ts'

export interface S3Options {
  bucket: string
  region: string
  /** The URL of an S3-compatible service other than AWS. */
  endpoint?: string | undefined
  key: string
  secret: string
  links: SignedLinks
  /** Times in ms, and attempts per request. */
  connectMs?: number
  requestMs?: number
  tries?: number
}

/** Files in a private bucket of an S3-compatible store, accessed only through the server. */
export function s3Storage(options: S3Options): Storage & { close(): void } {
  const { bucket: Bucket, region, endpoint, key, secret, links } = options
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    // Services other than AWS do not have a host name per bucket.
    forcePathStyle: endpoint !== undefined,
    credentials: { accessKeyId: key, secretAccessKey: secret },
    // Not every service supports checksums beyond the signature.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: options.tries ?? 3,
    requestHandler: {
      connectionTimeout: options.connectMs ?? 3_000,
      requestTimeout: options.requestMs ?? 15_000,
      throwOnRequestTimeout: true,
    },
  })
  const removeKey = (Key: string) => withStorageErrors(client.send(new DeleteObjectCommand({ Bucket, Key })))

  async function* keysUnder(Prefix: string): AsyncGenerator<string> {
    let ContinuationToken: string | undefined
    do {
      const page = await withStorageErrors(
        client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken })),
      )
      for (const { Key } of page.Contents ?? []) if (Key?.startsWith(Prefix)) yield Key
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (ContinuationToken !== undefined)
  }

  return {
    ...links,
    put: async (path, bytes, contentType) => {
      checkPath(path)
      checkType(bytes, contentType)
      const object = { Bucket, Key: path, Body: bytes, ContentType: contentType, CacheControl: 'private' }
      await withStorageErrors(client.send(new PutObjectCommand(object)))
    },
    archive: async (name, bytes) => {
      checkArchiveName(name)
      await withStorageErrors(
        client.send(
          new PutObjectCommand({ Bucket, Key: name, Body: bytes, ContentType: 'application/gzip' }),
        ),
      )
    },
    get: async (path) => {
      checkPath(path)
      const found = client.send(new GetObjectCommand({ Bucket, Key: path }))
      const bytes = await withStorageErrors(
        found.then((object) => object.Body?.transformToByteArray() ?? null, nullWhenAbsent),
      )
      return bytes === null ? null : readStored(bytes)
    },
    remove: async (path) => {
      checkPath(path)
      await removeKey(path)
    },
    removeUser: async (uid) => {
      for await (const found of keysUnder(userFolder(uid))) await removeKey(found)
    },
    removeBooking: async (id) => {
      for await (const found of keysUnder(bookingFolder(id))) await removeKey(found)
    },
    removeChats: async (bookingId) => {
      for await (const found of keysUnder(chatsFolder(bookingId))) await removeKey(found)
    },
    close: () => client.destroy(),
  }
}

function nullWhenAbsent(error: unknown): null {
  if (error instanceof NoSuchKey) return null
  throw error
}

async function withStorageErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const status = error instanceof S3ServiceException ? ` ${error.$metadata.httpStatusCode ?? ''}` : ''
    throw new StorageError(
      `the object storage returned ${error instanceof Error ? error.name : 'nothing'}${status}`,
    )
  }
}
