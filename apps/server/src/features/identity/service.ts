import { Refusal } from '@hansom/domain/error-keys'
import { APIError } from 'better-auth/api'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Viewer } from '../../platform/http/request-context.ts'
import type { Log } from '../../platform/log/log.ts'
import type { SettingsService } from '../settings/service.ts'
import { createAccount, hashedPassword, type NewAccount } from './create-account.ts'
import { findSession } from './find-session.ts'
import { addressHeader, createIdentityLibrary } from './library.ts'
import { refuseEntry } from './may-enter.ts'
import { signedTokenOf, verifiedToken } from './session-token.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'

export type { NewAccount, NewPerson } from './create-account.ts'

export interface IdentityDeps {
  database: Database
  clock: Clock
  log: Log
  publicUrl: string | undefined
  authSecret: string
  settings: SettingsService
}

export interface SignedIn {
  uid: string
  /** The bearer: the session's token with its signature. */
  token: string
  /** Value of the set-cookie header. */
  cookie: string
}

export interface Session {
  viewer: Viewer
  /** Set when the session was just prolonged: the cookie that carries it on. */
  cookie: string | undefined
}

export interface IdentityService {
  /**
   * Signs in by e-mail and password. Throws login_error for a wrong pair, whether or not the e-mail is known;
   * too_many_requests; and for the right password of somebody who may not enter, why.
   */
  signIn(
    input: { email: string; password: string },
    from: { address: string; userAgent: string },
  ): Promise<SignedIn>
  /** Makes a person who can sign in by e-mail, in the caller's transaction. Throws user_exists. */
  createAccount(tx: Transaction, account: NewAccount): Promise<string>
  /** For `createAccount`; takes a tenth of a second, so it is called before the transaction is opened. */
  hashPassword(password: string): Promise<string>
  /** Ends the session a request carries, if there is one. Answers with the cookie that clears it and whose it was. */
  signOut(headers: IncomingHttpHeaders): Promise<{ cookie: string; uid: string | null }>
  session(headers: IncomingHttpHeaders): Promise<Session | null>
  /** Who asks: by bearer or cookie, or by a signed token alone. Null for no session, an ended one, or a forged token. */
  authenticate(by: IncomingHttpHeaders | string): Promise<Viewer | null>
}

export async function createIdentityService(deps: IdentityDeps): Promise<IdentityService> {
  const { database, log, settings } = deps
  const library = createIdentityLibrary({
    database,
    log,
    secret: deps.authSecret,
    publicUrl: deps.publicUrl,
    mayEnter: async (userId) => refuseEntry(database.db, userId, (await settings.current()).email_verify),
  })
  const context = await library.$context
  const { name: cookieName, attributes } = context.authCookies.sessionToken
  const throttle = createSignInThrottle(deps.clock)

  const cookieFor = (signed: string, maxAge: number) =>
    `${cookieName}=${encodeURIComponent(signed)}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax` +
    (attributes.secure ? '; Secure' : '')

  const findBySigned = async (signed: string | null) => {
    const token = signed === null ? null : verifiedToken(signed, deps.authSecret)
    return token === null ? null : findSession(database.pool, token)
  }

  return {
    signIn: async ({ email, password }, { address, userAgent }) => {
      await throttle.attempt(email, address)
      const answer = await library.api
        .signInEmail({
          body: { email, password },
          headers: new Headers({ [addressHeader]: address, 'user-agent': userAgent }),
          returnHeaders: true,
        })
        .catch((error: unknown) => {
          throw translated(error)
        })
      throttle.succeeded(email, address)
      const signed = signedTokenIn(answer.headers, cookieName)
      return {
        uid: answer.response.user.id,
        token: signed,
        cookie: cookieFor(signed, attributes.maxAge ?? 0),
      }
    },
    signOut: async (headers) => {
      const signed = signedTokenOf(headers, cookieName)
      const token = signed === null ? null : verifiedToken(signed, deps.authSecret)
      const found = token === null ? null : await findSession(database.pool, token)
      if (token !== null) await context.internalAdapter.deleteSession(token)
      return { cookie: cookieFor('', 0), uid: found?.viewer.uid ?? null }
    },
    createAccount,
    hashPassword: hashedPassword,
    session: async (headers) => {
      const signed = signedTokenOf(headers, cookieName)
      const found = await findBySigned(signed)
      if (found === null || signed === null) return null
      const cookie =
        found.prolonged && headers.authorization === undefined
          ? cookieFor(signed, attributes.maxAge ?? 0)
          : undefined
      return { viewer: found.viewer, cookie }
    },
    authenticate: async (by) => {
      const signed = typeof by === 'string' ? by : signedTokenOf(by, cookieName)
      return (await findBySigned(signed))?.viewer ?? null
    },
  }
}

function signedTokenIn(headers: Headers, cookieName: string): string {
  const start = `${cookieName}=`
  const cookie = headers.getSetCookie().find((text) => text.startsWith(start))
  if (cookie === undefined) throw new Error('the identity library set no session cookie')
  return decodeURIComponent(cookie.slice(start.length).split(';', 1)[0] ?? '')
}

/** The library's refusals in our keys. What is no refusal of the password stays an error. */
function translated(error: unknown): unknown {
  if (!(error instanceof APIError)) return error
  if (error.statusCode === 400) return new Refusal('login_validate_error')
  if (error.statusCode < 500) return new Refusal('login_error')
  return error
}
