import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { sessionSeconds } from './find-session.ts'
import { authAccountsTable, authSessionsTable, authUsersTable, authVerificationsTable } from './table.ts'

/** Only this server sets it, so nobody can claim another address. */
export const addressHeader = 'x-hansom-address'

export interface LibraryDeps {
  database: Database
  log: Log
  secret: string
  /** Cookies are marked for https only when this is https. */
  publicUrl: string | undefined
  /** Called before a session is made; throws a refusal when that person may not sign in. */
  mayEnter(userId: string): Promise<void>
}

/**
 * The identity library, used through its functions only: none of its own routes is reachable. Passwords are its
 * salted scrypt, its answer for an unknown person takes as long as that for a known one.
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
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 6, maxPasswordLength: 128 },
    session: { expiresIn: sessionSeconds },
    advanced: {
      cookiePrefix: 'hansom',
      useSecureCookies: publicUrl?.startsWith('https:') ?? false,
      database: { generateId: () => uuidv7() },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    databaseHooks: {
      session: { create: { before: async (session) => deps.mayEnter(session.userId) } },
    },
  })
}
export type IdentityLibrary = ReturnType<typeof createIdentityLibrary>
