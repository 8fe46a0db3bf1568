import { Refusal } from '@hansom/domain/error-keys'
import { and, eq, gt } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock/clock.ts'
import { deleteInBatches, type Queries, type Transaction } from '../../platform/database/transaction.ts'
import { randomToken, type Secrets } from './secrets.ts'
import { authLinksTable } from './table.ts'

export type LinkKind = (typeof authLinksTable.$inferSelect)['kind']

const hour = 3_600_000
const livesMs: Record<LinkKind, number> = {
  reset: hour,
  verify_email: 72 * hour,
  invitation: 168 * hour,
  change_email: 24 * hour,
  prove_mobile: hour,
}

/** One-time links, of which only the digests are stored. */
export interface Links {
  /** Returns the link's token. Earlier links of that kind work until one of them is used. */
  make(queries: Queries, kind: LinkKind, uid: string, email: string): Promise<string>
  /** Checks a link without using it. Throws link_expired. */
  check(queries: Queries, kind: LinkKind, token: string): Promise<void>
  /** Uses a link, which also deletes the user's other links of that kind. Throws link_expired. */
  use(tx: Transaction, kind: LinkKind, token: string): Promise<{ uid: string; email: string }>
  /** Deletes a user's links of one kind. */
  drop(tx: Transaction, kind: LinkKind, uid: string): Promise<void>
  purge(pool: Pool): Promise<void>
}

export function createLinks(clock: Clock, secrets: Secrets): Links {
  const table = authLinksTable
  const drop: Links['drop'] = async (tx, kind, uid) => {
    await tx.db.delete(table).where(and(eq(table.user_id, uid), eq(table.kind, kind)))
  }
  const isOpen = (kind: LinkKind, token: string) =>
    and(
      eq(table.token_hash, secrets.digest('link', token)),
      eq(table.kind, kind),
      gt(table.expires_at, clock.now()),
    )
  return {
    drop,
    check: async (queries, kind, token) => {
      const open = await queries.select({ uid: table.user_id }).from(table).where(isOpen(kind, token))
      if (open.length === 0) throw new Refusal('link_expired')
    },
    make: async (queries, kind, uid, email) => {
      const token = randomToken()
      await queries.insert(table).values({
        token_hash: secrets.digest('link', token),
        kind,
        user_id: uid,
        email,
        expires_at: clock.now() + livesMs[kind],
      })
      return token
    },
    use: async (tx, kind, token) => {
      const [used] = await tx.db
        .delete(table)
        .where(isOpen(kind, token))
        .returning({ uid: table.user_id, email: table.email })
      if (used === undefined) throw new Refusal('link_expired')
      await drop(tx, kind, used.uid)
      return used
    },
    purge: async (pool) => {
      await deleteInBatches(pool, 'auth_links', 'expires_at < $1', [clock.now()])
    },
  }
}
