import { Refusal } from '@hansom/domain/error-keys'
import { and, eq, gt } from 'drizzle-orm'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Mail } from '../../adapters/mail/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { deleteInBatches } from '../../platform/database/transaction.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { MessageCounts } from '../../platform/mailbox/message-counts.ts'
import { ignorePermanent } from '../messages/ignore-permanent.ts'
import type { Writers } from '../messages/write-messages.ts'
import { usersTable } from '../users/table.ts'
import { randomToken, type Secrets } from './secrets.ts'
import { authLinksTable } from './table.ts'

const uid = z.uuid()
const order = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reset'), email: z.string() }),
  z.object({ kind: z.literal('verify_email'), uid }),
  z.object({ kind: z.literal('invitation'), uid }),
  z.object({ kind: z.literal('prove_mobile'), uid }),
  z.object({ kind: z.literal('change_email'), uid, email: z.string() }),
  z.object({ kind: z.literal('email_changed'), uid, email: z.string() }),
  z.object({ kind: z.literal('contact_corrected'), uid, email: z.string() }),
  z.object({ kind: z.literal('password_changed'), uid }),
  z.object({ kind: z.literal('account_approved'), uid }),
  z.object({ kind: z.literal('account_rejected'), uid, reason: z.string() }),
])
export type MailOrder = z.infer<typeof order>

/** Queues emails. A job looks up the recipient later, so an unknown user takes as long as a known one. */
export interface Mails {
  /** With `tx` the email is sent if and when that transaction commits. */
  order(order: MailOrder, tx?: Transaction): Promise<void>
  /** For a mail that someone waits for, whether or not they have an account. Throws message_limit. */
  refuseWhenFull(): Promise<void>
}

export interface MailsDeps {
  database: Database
  jobs: Jobs
  links: Links
  mail: Mail
  messageCounts: Pick<MessageCounts, 'refuseWhenFull'>
  writers: Writers
  log: Log
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

const job = 'identity.mail'
const pages: Record<LinkKind, string> = {
  reset: '/reset-password',
  verify_email: '/verify-email',
  invitation: '/invitation',
  change_email: '/confirm-email',
  prove_mobile: '/confirm-mobile',
}

const isLinkKind = (kind: MailOrder['kind']): kind is LinkKind => kind in pages

export function createMails(deps: MailsDeps): Mails {
  const { database, jobs, links, mail, writers, log } = deps

  const find = async (wanted: MailOrder) => {
    const by = wanted.kind === 'reset' ? eq(usersTable.email, wanted.email) : eq(usersTable.id, wanted.uid)
    const [user] = await database.db
      .select({
        uid: usersTable.id,
        email: usersTable.email,
        firstName: usersTable.firstName,
        locale: usersTable.locale,
      })
      .from(usersTable)
      .where(by)
    return user
  }

  jobs.define(job, { schema: order, concurrency: 4 }, async (wanted) => {
    const user = await find(wanted)
    if (user === undefined) return
    const { kind } = wanted
    const to = 'email' in wanted ? wanted.email : user.email
    if (to === null) return
    const params: Record<string, string> = { name: nameIn(user.firstName) }
    if (wanted.kind === 'account_rejected') params.reason = wanted.reason
    if (kind === 'account_approved') params.link = `${deps.siteUrl()}/login`
    if (isLinkKind(kind)) {
      const token = await links.make(database.db, kind, user.uid, to)
      params.link = `${deps.siteUrl()}${pages[kind]}?token=${token}`
    }
    const written = (await writers.writerFor(user.locale)).mail(kind, params)
    await mail.send({ to, ...written, kind, params, person: user.uid }).catch(ignorePermanent(log, kind))
  })

  return {
    order: async (wanted, tx) => {
      await jobs.send(job, wanted, tx === undefined ? {} : { tx })
    },
    refuseWhenFull: () => deps.messageCounts.refuseWhenFull('mails'),
  }
}

/** Removes URLs and line breaks from a name: someone may have signed up with a stranger's address to send them spam. */
function nameIn(firstName: string): string {
  return firstName.replace(/[^\p{L}\p{M}' -]/gu, '').slice(0, 40)
}

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
