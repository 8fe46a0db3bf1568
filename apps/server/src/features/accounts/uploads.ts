import { Refusal } from '@hansom/domain/error-keys'
import { and, count, eq, gt } from 'drizzle-orm'
import { ImageRefused, type Images } from '../../adapters/storage/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { deleteInBatches, type Transaction } from '../../platform/database/transaction.ts'
import type { Attempts } from './attempts.ts'
import { randomToken, type Secrets } from './secrets.ts'
import { authUploadsTable } from './table.ts'
import { limitKeyOf, type Visitor } from './visitor.ts'

const lifetimeMs = 3_600_000
/** Maximum number of waiting images, about 200 MB in total. */
export const maxHeldUploads = 1_000

/** Licence images uploaded before their owner has an account. */
export interface Uploads {
  /** Counts an upload before it is read. Throws too_many_requests. */
  limit(visitor: Visitor): Promise<void>
  /** Stores an image and returns an id known only to the sender. Throws unsupported_media, too_large, unavailable. */
  store(bytes: Uint8Array): Promise<string>
  /** Returns an image once. Throws invalid_input for an unknown, used or more than one hour old id. */
  claim(
    tx: Transaction,
    uploadId: string,
  ): Promise<{ bytes: Buffer; contentType: 'image/webp' | 'image/jpeg' }>
  purge(): Promise<void>
}

export interface UploadsDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  images: Images
  attempts: Attempts
}

export function createUploads({ database, clock, secrets, images, attempts }: UploadsDeps): Uploads {
  const table = authUploadsTable
  return {
    limit: async (visitor) => {
      await attempts.attempt('uploads', limitKeyOf(visitor))
    },
    store: async (bytes) => {
      const { bytes: image, contentType } = await images.prepare(bytes).catch((error: unknown) => {
        throw translated(error)
      })
      const [held] = await database.db
        .select({ count: count() })
        .from(table)
        .where(gt(table.expires_at, clock.now()))
      if ((held?.count ?? 0) >= maxHeldUploads) throw new Refusal('unavailable')
      const id = randomToken()
      await database.db.insert(table).values({
        id_hash: secrets.digest('upload', id),
        image: Buffer.from(image),
        content_type: contentType,
        expires_at: clock.now() + lifetimeMs,
      })
      return id
    },
    claim: async (tx, uploadId) => {
      const [found] = await tx.db
        .delete(table)
        .where(and(eq(table.id_hash, secrets.digest('upload', uploadId)), gt(table.expires_at, clock.now())))
        .returning()
      if (found === undefined) {
        throw new Refusal('invalid_input', { fields: [{ field: 'licenseImage', error: 'not_in_list' }] })
      }
      return { bytes: found.image, contentType: found.content_type }
    },
    purge: async () => {
      await deleteInBatches(database.pool, 'auth_uploads', 'expires_at < $1', [clock.now()], 50)
    },
  }
}

function translated(error: unknown): unknown {
  if (!(error instanceof ImageRefused)) return error
  if (error.reason === 'busy') return new Refusal('unavailable')
  const isSize = error.reason === 'too_large' || error.reason === 'too_many_pixels'
  return new Refusal(isSize ? 'too_large' : 'unsupported_media', { data: { reason: error.reason } })
}
