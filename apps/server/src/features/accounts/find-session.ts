import type { Role } from '@hansom/domain/users/roles'
import type { Pool } from 'pg'
import type { SessionActor } from '../../platform/http/request-context.ts'

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

const running = `auth_sessions session join users person on person.id = session.user_id
         where session.token = $1 and session.expires_at > now()
           and session.created_at > now() - interval '${maxSessionSeconds} seconds' and ($2 or not person.demo)`

const lookUp = {
  name: 'find_session',
  text: `select session.id as session_id, person.id as uid, person.usertype as role, person.approved,
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
): Promise<{ viewer: SessionActor; prolonged: boolean } | null> {
  const { rows } = await pool.query<SessionRow>({ ...lookUp, values: [token, demo] })
  const [row] = rows
  if (row === undefined) return null
  if (row.stale) await prolong(pool, token)
  const { uid, role, approved, session_id } = row
  return { viewer: { id: uid, role, approved, sessionId: session_id }, prolonged: row.stale }
}

/** Finds the user of a session without extending it. Null as in `findSession`. */
export async function findSessionUser(pool: Pool, token: string, demo: boolean): Promise<string | null> {
  const { rows } = await pool.query<{ uid: string }>({
    name: 'find_session_owner',
    text: `select person.id as uid from ${running}`,
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
