import type { Session as ListedSession } from '@hansom/contract/accounts'
import { freshSessionMs } from '@hansom/domain/accounts/attempts'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../../platform/database/database.ts'
import { deleteInBatches, type Transaction } from '../../platform/database/transaction.ts'
import type { SessionActor } from '../../platform/http/implement.ts'
import {
  createSessionUsers,
  findSession,
  findSessionUser,
  sessionSeconds,
  signedToken,
  verifiedToken,
} from './find-session.ts'
import { randomToken } from './secrets.ts'
import { refuseDemoUsers, refuseIneligible } from './sign-in-eligibility.ts'
import { authSessionsTable } from './table.ts'
import { cookieText, type Visitor } from './visitor.ts'

export interface SignedIn {
  uid: string
  /** The bearer: the session's signed token. */
  token: string
  /** Values of set-cookie headers. */
  cookies: string[]
}

export interface Sessions {
  cookieName: string
  /**
   * Opens a session for an authenticated user, and ends the session of the visitor's cookie. Throws why the user may
   * not sign in.
   */
  open(uid: string, visitor: Visitor): Promise<SignedIn>
  /**
   * Like `open`, for a sign-in method that may be removed concurrently: once the session exists, `isStill` checks the
   * method and locks it. Throws login_error, without a session, when the method is gone.
   */
  openIf(uid: string, visitor: Visitor, isStill: (tx: Transaction) => Promise<boolean>): Promise<SignedIn>
  find(signed: string | null): ReturnType<typeof findSession>
  /** Returns the user of a current or past session, for rate limits; null for a forged one, without a query. */
  userOf(signed: string | null): Promise<string | null>
  /** Ends one session; returns its user. */
  end(signed: string | null): Promise<string | null>
  list(actor: SessionActor): Promise<ListedSession[]>
  endOne(uid: string, id: string): Promise<void>
  /** True if the session was opened within the last ten minutes, by the database's clock. */
  isFresh(actor: SessionActor): Promise<boolean>
  /**
   * Ends all of a user's sessions, or all but one, in the caller's transaction; open connections close after the
   * commit, and their pages get the reason.
   */
  endAll(tx: Transaction, uid: string, but?: string, why?: ErrorKey): Promise<void>
  /** Ends all sessions except admins'; their pages get the reason. Returns the number of sessions. */
  endAllButAdmins(why: ErrorKey): Promise<number>
  /** The set-cookie value that extends a session, or removes the cookie. */
  cookie(signed: string | null): string
  /** Deletes expired sessions, with their IP addresses and user agents. */
  purge(): Promise<void>
}

export interface SessionsDeps {
  database: Database
  secret: string
  /** Cookies are sent over https only. */
  secure: boolean
  /** Demo users have sessions only when this is true. */
  demo: boolean
  reauthorize(uid: string, why?: ErrorKey): void
  /** Throws the reason when sign-ins are closed. */
  checkLicence(uid: string): Promise<void>
}

/** Sessions ended per statement. */
const batch = 2_000

export function createSessions(deps: SessionsDeps): Sessions {
  const { database, secret, secure, demo, reauthorize } = deps
  // Browsers accept a name with this prefix over https only.
  const cookieName = `${secure ? '__Secure-' : ''}hansom.session_token`
  const table = authSessionsTable
  const cookie = (signed: string | null) =>
    cookieText(cookieName, signed ?? '', signed === null ? 0 : sessionSeconds, secure)
  const tokenIn = (signed: string | null) => (signed === null ? null : verifiedToken(signed, secret))
  const find = async (signed: string | null) => {
    const token = tokenIn(signed)
    return token === null ? null : findSession(database.pool, token, demo)
  }
  const end = async (signed: string | null) => {
    const token = tokenIn(signed)
    if (token === null) return null
    const [ended] = await database.db
      .delete(table)
      .where(eq(table.token, token))
      .returning({ uid: table.userId })
    if (ended !== undefined) reauthorize(ended.uid)
    return ended?.uid ?? null
  }

  const people = createSessionUsers((token) => findSessionUser(database.pool, token, demo))
  const open: Sessions['open'] = async (uid, visitor) => {
    if (!demo) await refuseDemoUsers(database.db, uid)
    await refuseIneligible(database.db, uid, false)
    await deps.checkLicence(uid)
    const token = randomToken()
    await database.db.insert(table).values({
      id: uuidv7(),
      token,
      userId: uid,
      expiresAt: sql`now() + make_interval(secs => ${sessionSeconds})`,
      ipAddress: visitor.ip,
      userAgent: visitor.userAgent,
    })
    await end(visitor.session ?? null)
    const signed = signedToken(token, secret)
    return { uid, token: signed, cookies: [cookie(signed)] }
  }

  return {
    cookieName,
    cookie,
    find,
    userOf: async (signed) => {
      const token = tokenIn(signed)
      return token === null ? null : people.userOf(token)
    },
    end,
    open,
    openIf: async (uid, visitor, isStill) => {
      const opened = await open(uid, visitor)
      if (await database.withTransaction(isStill)) return opened
      await end(opened.token)
      throw new Refusal('login_error')
    },
    list: async ({ id, sessionId }) => {
      const rows = await database.db
        .select()
        .from(table)
        .where(and(eq(table.userId, id), gt(table.expiresAt, new Date())))
        .orderBy(desc(table.updatedAt))
      return rows.map((row) => ({
        id: row.id,
        createdAt: row.createdAt.getTime(),
        lastUsed: row.updatedAt.getTime(),
        address: row.ipAddress || null,
        userAgent: row.userAgent || null,
        current: row.id === sessionId,
      }))
    },
    endOne: async (uid, id) => {
      const ended = await database.db
        .delete(table)
        .where(and(eq(table.userId, uid), eq(table.id, id)))
        .returning({ id: table.id })
      if (ended.length === 0) throw new Refusal('not_found')
      reauthorize(uid, 'signed_out_elsewhere')
    },
    isFresh: async ({ id, sessionId }) => {
      const isYoung = sql`${table.createdAt} > now() - make_interval(secs => ${freshSessionMs / 1000})`
      const fresh = await database.db
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.id, sessionId), eq(table.userId, id), isYoung))
      return fresh.length > 0
    },
    endAll: async (tx, uid, but, why) => {
      await tx.db
        .delete(table)
        .where(and(eq(table.userId, uid), but === undefined ? undefined : ne(table.id, but)))
      tx.afterCommit(() => reauthorize(uid, why))
    },
    endAllButAdmins: async (why) => {
      for (let ended = 0; ; ) {
        const reply = await database.pool.query<{ user_id: string }>(
          `delete from auth_sessions where ctid = any(array(select s.ctid from auth_sessions s
             join user_roles u on u.id = s.user_id where u.usertype <> 'admin' limit ${batch})) returning user_id`,
        )
        for (const uid of new Set(reply.rows.map((row) => row.user_id))) reauthorize(uid, why)
        ended += reply.rows.length
        if (reply.rows.length < batch) return ended
      }
    },
    // Uses the database's clock, as the session check does.
    purge: async () => {
      await deleteInBatches(database.pool, 'auth_sessions', 'expires_at < now()', [])
    },
  }
}

/** A user's sessions and sign-in methods, for the export of their own data. */
export async function ownSignInData(pool: Pool, uid: string) {
  const sessions = await pool.query(
    `select created_at as "createdAt", updated_at as "lastUsed", ip_address as address, user_agent as "userAgent"
      from auth_sessions where user_id = $1 order by created_at`,
    [uid],
  )
  const methods = await pool.query(
    `select provider_id as way, created_at as "since" from auth_accounts where user_id = $1 order by created_at`,
    [uid],
  )
  return { sessions: sessions.rows, methods: methods.rows }
}
