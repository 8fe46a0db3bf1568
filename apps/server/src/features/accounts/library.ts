import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { sessionSeconds } from './find-session.ts'
import { authAccountsTable, authSessionsTable, authUsersTable, authVerificationsTable } from './table.ts'

export interface LibraryDeps {
  database: Database
  log: Log
  secret: string
  /** Cookies are marked secure only when this URL is https. */
  publicUrl: string | undefined
}

/**
 * Wraps the identity library, which is used through its functions only: none of its routes is reachable. It provides
 * the tables, password hashes, sessions and cookies; this feature decides who may sign in.
 */
export function createIdentityLibrary(deps: LibraryDeps) {
  const { database, log, publicUrl } = deps
  return betterAuth({
    appName: 'Hansom',
    baseURL: publicUrl ?? 'http://localhost',
    basePath: '/api/auth',
    secret: deps.secret,
    trustedOrigins: publicUrl === undefined ? [] : [publicUrl],
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: {
      log: (level, message) => log[level === 'error' ? 'warn' : 'debug']({ part: 'identity' }, message),
    },
    database: drizzleAdapter(database.db, {
      provider: 'pg',
      transaction: true,
      schema: {
        user: authUsersTable,
        session: authSessionsTable,
        account: authAccountsTable,
        verification: authVerificationsTable,
      },
    }),
    emailAndPassword: { enabled: true, disableSignUp: true },
    session: { expiresIn: sessionSeconds },
    advanced: {
      cookiePrefix: 'hansom',
      useSecureCookies: publicUrl?.startsWith('https:') ?? false,
      database: { generateId: () => uuidv7() },
    },
  })
}
export type IdentityLibrary = ReturnType<typeof createIdentityLibrary>
