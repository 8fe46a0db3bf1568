import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Role } from '@hansom/domain/users/roles'
import type { Pool } from 'pg'
import type { SessionActor } from '../../platform/http/implement.ts'
import { cookieOf } from './visitor.ts'

/** Lifetime of an unused session. */
export const sessionSeconds = 30 * 24 * 3600
/** Maximum lifetime of a session however much it is used, which limits the use of a stolen one. */
export const maxSessionSeconds = 180 * 24 * 3600
/** Minimum time between two extensions of a session in use. */
const prolongAfterSeconds = 24 * 3600

interface SessionRow {
  session_id: string
  uid: string
  role: Role
  approved: boolean
  stale: boolean
}

const running = `auth_sessions session join user_roles owner on owner.id = session.user_id
         where session.token = $1 and session.expires_at > now()
           and session.created_at > now() - interval '${maxSessionSeconds} seconds' and ($2 or not owner.demo)`

const lookUp = {
  name: 'find_session',
  text: `select session.id as session_id, owner.id as uid, owner.usertype as role, owner.approved,
           session.updated_at < now() - interval '${prolongAfterSeconds} seconds' as stale
         from ${running}`,
}

/**
 * Finds the user of a session in one query, and whether the session was just extended. Null for an ended session, and
 * for demo users when `demo` is false.
 */
export async function findSession(
  pool: Pool,
  token: string,
  demo: boolean,
): Promise<{ actor: SessionActor; prolonged: boolean } | null> {
  const { rows } = await pool.query<SessionRow>({ ...lookUp, values: [token, demo] })
  const [row] = rows
  if (row === undefined) return null
  if (row.stale) await prolong(pool, token)
  const { uid, role, approved, session_id } = row
  return { actor: { id: uid, role, approved, sessionId: session_id }, prolonged: row.stale }
}

/** Finds the user of a session without extending it. Null as in `findSession`. */
export async function findSessionUser(pool: Pool, token: string, demo: boolean): Promise<string | null> {
  const { rows } = await pool.query<{ uid: string }>({
    name: 'find_session_owner',
    text: `select owner.id as uid from ${running}`,
    values: [token, demo],
  })
  return rows[0]?.uid ?? null
}

async function prolong(pool: Pool, token: string): Promise<void> {
  await pool.query(
    `update auth_sessions set updated_at = now(), expires_at = least(now() + interval '${sessionSeconds} seconds',
       created_at + interval '${maxSessionSeconds} seconds')
     where token = $1`,
    [token],
  )
}

const bearerScheme = /^bearer +(\S+) *$/i

/**
 * Returns the session's token from its signed form `<token>.<signature>`; null when the signature is invalid. The
 * database stores tokens without signatures, so a stolen copy of it opens no session.
 */
export function verifiedToken(signed: string, secret: string): string | null {
  const [token, signature, ...rest] = signed.split('.')
  if (!token || !signature || rest.length > 0) return null
  const expected = signature64(token, secret)
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/** Returns the signed form in which a session's token leaves the server. */
export function signedToken(token: string, secret: string): string {
  return `${token}.${signature64(token, secret).toString('base64')}`
}

/** Returns a request's signed token: the bearer if present, else the session cookie. */
export function signedTokenOf(headers: IncomingHttpHeaders, cookieName: string): string | null {
  const { authorization } = headers
  if (authorization === undefined) return cookieOf(headers, cookieName)
  const bearer = bearerScheme.exec(authorization)?.[1]
  return bearer === undefined ? null : decoded(bearer)
}

/** Percent-decodes a value; null when it is malformed. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function signature64(token: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(token).digest()
}

/** Maps session tokens to users. The mapping never changes, so it is cached. */
export interface SessionUsers {
  /** Returns null for an unknown token and when the lookup fails. Never throws. */
  userOf(token: string): Promise<string | null>
}

const rememberMs = 600_000
const askAgainMs = 5_000
const most = 50_000

/**
 * Finds the user whom the rate limits count a request for, mostly without a query. Rejected tokens are cached too, so
 * repeated requests with an ended session cost few queries. `time` is monotonic, ms.
 */
export function createSessionUsers(
  find: (token: string) => Promise<string | null>,
  time: () => number = () => performance.now(),
): SessionUsers {
  const known = new Map<string, { user: Promise<string | null>; askedAt: number }>()
  return {
    userOf: (token) => {
      const before = known.get(token)
      if (before !== undefined && time() - before.askedAt < rememberMs) return before.user
      const user = find(token).catch(() => {
        if (before === undefined) known.delete(token)
        // Keeps the known user while the database is unavailable.
        else known.set(token, { user: before.user, askedAt: time() - rememberMs + askAgainMs })
        return before?.user ?? null
      })
      known.delete(token)
      known.set(token, { user, askedAt: time() })
      if (known.size > most) {
        const [oldest] = known.keys()
        if (oldest !== undefined) known.delete(oldest)
      }
      return user
    },
  }
}
