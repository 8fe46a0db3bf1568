import type { Session as ListedSession } from '@hansom/contract/accounts'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import { and, desc, eq, gt, ne } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Viewer } from '../../platform/http/request-context.ts'
import { cookieText } from './cookies.ts'
import { findOwner, findSession, sessionSeconds } from './find-session.ts'
import { createKnownPeople } from './known-people.ts'
import type { IdentityLibrary } from './library.ts'
import { refuseDemoPeople, refuseEntry } from './may-enter.ts'
import { signedToken, verifiedToken } from './session-token.ts'
import { authSessionsTable } from './table.ts'
import type { Visitor } from './visitor.ts'

export interface SignedIn {
  uid: string
  /** The bearer: the session's token with its signature. */
  token: string
  /** Values of set-cookie headers. */
  cookies: string[]
}

export interface Sessions {
  cookieName: string
  /** Opens a session for somebody who has shown who he is; the one his cookie carried ends. Throws why he may not enter. */
  open(uid: string, visitor: Visitor): Promise<SignedIn>
  /**
   * The same for a sign-in method that may be removed meanwhile: `isStill` asks for it, and locks what it asks, once the session
   * is there. Throws login_error, without a session, when it is gone.
   */
  openWhile(uid: string, visitor: Visitor, isStill: (tx: Transaction) => Promise<boolean>): Promise<SignedIn>
  find(signed: string | null): ReturnType<typeof findSession>
  /** Whose session it is or was, for limits; null for a forged one, without a query. */
  personOf(signed: string | null): Promise<string | null>
  /** Ends one session; answers with whose it was. */
  end(signed: string | null): Promise<string | null>
  list(viewer: Viewer): Promise<ListedSession[]>
  endOne(uid: string, id: string): Promise<void>
  /** Ends all sessions of a person, or all but one, in the caller's transaction; open connections close after it. */
  endAll(tx: Transaction, uid: string, but?: string): Promise<void>
  /** Ends the sessions of everybody but admins; their pages hear why. Answers with how many there were. */
  endAllButAdmins(why: ErrorKey): Promise<number>
  /** Value of a set-cookie header that carries a session on, or removes the cookie. */
  cookie(signed: string | null): string
  /** Removes sessions that have run out, with the addresses and devices they were opened from. */
  purge(): Promise<void>
}

export interface SessionsDeps {
  database: Database
  library: IdentityLibrary
  secret: string
  /** On a demo alone its people have sessions. */
  demo: boolean
  recheck(uid: string, why?: ErrorKey): void
  /** Throws why nobody is let in. */
  admit(uid: string): Promise<void>
}

/** Sessions that are ended in one statement. */
const batch = 2_000

export async function createSessions(deps: SessionsDeps): Promise<Sessions> {
  const { database, secret, demo, recheck } = deps
  const { authCookies, internalAdapter } = await deps.library.$context
  const { name: cookieName, attributes } = authCookies.sessionToken
  const table = authSessionsTable
  const cookie = (signed: string | null) =>
    cookieText(cookieName, signed ?? '', signed === null ? 0 : sessionSeconds, attributes.secure ?? false)
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
    if (ended !== undefined) recheck(ended.uid)
    return ended?.uid ?? null
  }

  const people = createKnownPeople((token) => findOwner(database.pool, token, demo))
  const open: Sessions['open'] = async (uid, visitor) => {
    if (!demo) await refuseDemoPeople(database.db, uid)
    await refuseEntry(database.db, uid, false)
    await deps.admit(uid)
    const { address, userAgent } = visitor
    const { token } = await internalAdapter.createSession(uid, false, { ipAddress: address, userAgent })
    await end(visitor.session ?? null)
    const signed = signedToken(token, secret)
    return { uid, token: signed, cookies: [cookie(signed)] }
  }

  return {
    cookieName,
    cookie,
    find,
    personOf: async (signed) => {
      const token = tokenIn(signed)
      return token === null ? null : people.personOf(token)
    },
    end,
    open,
    openWhile: async (uid, visitor, isStill) => {
      const opened = await open(uid, visitor)
      if (await database.withTransaction(isStill)) return opened
      await end(opened.token)
      throw new Refusal('login_error')
    },
    list: async ({ uid, sessionId }) => {
      const rows = await database.db
        .select()
        .from(table)
        .where(and(eq(table.userId, uid), gt(table.expiresAt, new Date())))
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
      recheck(uid)
    },
    endAll: async (tx, uid, but) => {
      await tx.db
        .delete(table)
        .where(and(eq(table.userId, uid), but === undefined ? undefined : ne(table.id, but)))
      tx.afterCommit(() => recheck(uid))
    },
    endAllButAdmins: async (why) => {
      for (let ended = 0; ; ) {
        const reply = await database.pool.query<{ user_id: string }>(
          `delete from auth_sessions where ctid = any(array(select s.ctid from auth_sessions s
             join users u on u.id = s.user_id where u.usertype <> 'admin' limit ${batch})) returning user_id`,
        )
        for (const uid of new Set(reply.rows.map((row) => row.user_id))) recheck(uid, why)
        ended += reply.rows.length
        if (reply.rows.length < batch) return ended
      }
    },
    // By the database's clock, which says whether a session still holds.
    purge: async () => {
      await deleteInBatches(database.pool, 'auth_sessions', 'expires_at < now()', [])
    },
  }
}
