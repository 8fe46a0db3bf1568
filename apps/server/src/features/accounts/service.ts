import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorKey } from '@hansom/domain/error-keys'
import { z } from 'zod'
import type { Mail } from '../../adapters/mail/port.ts'
import type { Sms } from '../../adapters/sms/port.ts'
import type { Images, Storage } from '../../adapters/storage/port.ts'
import { type Clock, systemClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { SessionActor } from '../../platform/http/implement.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { MessageCounts } from '../../platform/mailbox/message-counts.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { Writers } from '../messages/write-messages.ts'
import type { SettingsService } from '../settings/service.ts'
import { parsePhone } from '../users/phone-number.ts'
import { userChanged } from '../users/user-changed.ts'
import { createAttempts, createProofOfWork, createSignInLimits } from './attempts.ts'
import {
  type ContactChanges,
  type CorrectContact,
  createContactChanges,
  createCorrectContact,
  type NumberProven,
} from './contact-changes.ts'
import { createAccount, createLookups, hashInQueue, type Lookups, type NewAccount } from './create-account.ts'
import { signedTokenOf } from './find-session.ts'
import { createLinks, createMails, type Mails } from './mails.ts'
import { createOldPhones, type OldPhones } from './normalise-phones.ts'
import { checkPassword, createPasswords, type Passwords } from './passwords.ts'
import { createPhoneCodes } from './phone-codes.ts'
import { createSecrets } from './secrets.ts'
import { createSessions, type Sessions, type SignedIn } from './sessions.ts'
import { createSignInMethods, type SignInMethods, signInByEmail } from './sign-in-by-email.ts'
import { createPhoneSignIn, type PhoneSignIn } from './sign-in-by-phone.ts'
import { signUp } from './sign-up.ts'
import { type AppleClient, appleProvider } from './social/apple.ts'
import { type FacebookClient, facebookProvider } from './social/facebook.ts'
import { createSocialSignIn, type SocialSignIn } from './social/service.ts'
import { createUploads, type Uploads } from './uploads.ts'
import { createDevices, type Visitor, visitorOf } from './visitor.ts'

export type { NewAccount, NewUserRow } from './create-account.ts'
export type { SignedIn } from './sessions.ts'

export interface AccountsDeps {
  database: Database
  clock: Clock
  log: Log
  jobs: Jobs
  outbox: Outbox
  mail: Mail
  sms: Sms
  messageCounts: Pick<MessageCounts, 'refuseWhenFull'>
  storage: Storage
  images: Images
  publicUrl: string | undefined
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
  workBits?: number
  authSecret: string
  demo: boolean
  settings: SettingsService
  writers: Writers
  /** Called last at every sign-in. Throws the reason when sign-ins are closed. */
  checkLicence(uid: string): Promise<void>
  social: { facebook: FacebookClient | null; apple: AppleClient | null }
  numberProven: NumberProven
  /** Reauthorizes a user's open connections. */
  reauthorize(uid: string, why?: ErrorKey): void
}

export interface Session {
  actor: SessionActor
  /** The new cookie when the session was just extended. */
  cookie: string | undefined
}

export interface AccountsService extends Passwords, ContactChanges, Lookups {
  /** Throws login_validate_error, login_error, too_many_requests, or why the user may not sign in. */
  signIn(input: { email: string; password: string }, visitor: Visitor): Promise<SignedIn>
  signInMethods: SignInMethods
  phone: PhoneSignIn
  social: SocialSignIn
  signUp: ReturnType<typeof signUp>
  /** Parses a phone number as written in the service's country into the stored form; null when it is invalid. */
  readPhone(text: string): Promise<string | null>
  uploads: Uploads
  sessions: Sessions
  /** Creates a user who can sign in, in the caller's transaction. Throws user_exists. */
  createAccount(tx: Transaction, account: NewAccount): Promise<string>
  /** For `createAccount`; takes a tenth of a second, so call it before opening the transaction. */
  hashPassword(password: string): Promise<string>
  /** Throws the errors of a newly chosen password. */
  checkPassword(password: string): void
  oldPhones: OldPhones
  correctContact: CorrectContact
  /** Queues an email; with `tx` it is sent if and when that transaction commits. */
  orderMail: Mails['order']
  /** Ends all of a user's sessions; open connections close after the commit. */
  endSessions(tx: Transaction, uid: string): Promise<void>
  signOutEverywhere(uid: string): Promise<void>
  visitor(request: { ip: string; headers: IncomingHttpHeaders }): Visitor
  /** Ends the session of a request, if any. Returns the cookie that clears it. */
  signOut(headers: IncomingHttpHeaders): Promise<{ cookie: string }>
  session(headers: IncomingHttpHeaders): Promise<Session | null>
  /** Returns the user whom rate limits count a request for: null for visitors and forged sessions. No authorization. */
  userOf(headers: IncomingHttpHeaders): Promise<string | null>
  /**
   * Returns the actor by bearer or cookie, or by a signed token. Null for no session, an ended one, or a forged token.
   */
  authenticate(by: IncomingHttpHeaders | string): Promise<SessionActor | null>
}

export function createAccountsService(deps: AccountsDeps): AccountsService {
  const { database, settings, authSecret: secret } = deps
  // Code lifetimes and waits use real time, not the demo's accelerated clock.
  const realClock = deps.clock.speed === 1 ? deps.clock : systemClock
  const real = { ...deps, clock: realClock }
  const secure = deps.publicUrl?.startsWith('https:') ?? false
  const secrets = createSecrets(secret)
  const attempts = createAttempts(database.pool, realClock, secrets)
  const links = createLinks(realClock, secrets)
  const mails = createMails({ ...deps, links })
  const sessions = createSessions({
    database,
    secret,
    secure,
    demo: deps.demo,
    reauthorize: deps.reauthorize,
    checkLicence: deps.checkLicence,
  })
  const devices = createDevices(secrets)
  const codes = createPhoneCodes({ ...real, secrets, attempts, devices })
  const uploads = createUploads({ ...real, secrets, attempts })
  const limits = createSignInLimits(attempts, realClock)
  const work = createProofOfWork(secrets, attempts, realClock, deps.workBits)
  const tools = { attempts, limits, work, links, mails, sessions, codes, devices, uploads, secrets }
  const parts = { ...deps, ...tools, realClock, secure }
  const { cookieName } = sessions
  const { facebook, apple } = deps.social
  const providers = {
    facebook: facebook === null ? null : facebookProvider(facebook),
    apple: apple === null ? null : appleProvider(apple, realClock),
  }
  const ways = createSignInMethods(settings, { facebook: facebook !== null, apple: apple !== null })

  purgeExpired(deps.jobs, [
    () => attempts.purge(),
    () => sessions.purge(),
    () => links.purge(database.pool),
    () => codes.purge(),
    () => uploads.purge(),
  ])
  endSessionsOnNewRights(deps.outbox, sessions)

  return {
    ...createPasswords(parts),
    ...createContactChanges(parts),
    ...createLookups(parts),
    signIn: signInByEmail(parts),
    signInMethods: ways,
    social: createSocialSignIn({ ...parts, signInMethods: ways, providers }),
    phone: createPhoneSignIn(parts),
    signUp: signUp(parts),
    readPhone: async (text) => parsePhone(text, (await settings.current()).country),
    uploads,
    sessions,
    oldPhones: createOldPhones(real),
    correctContact: createCorrectContact(parts),
    orderMail: mails.order,
    createAccount,
    hashPassword: hashInQueue,
    checkPassword,
    endSessions: (tx, uid) => sessions.endAll(tx, uid),
    signOutEverywhere: (uid) =>
      database.withTransaction((tx) => sessions.endAll(tx, uid, undefined, 'signed_out_elsewhere')),
    visitor: (request) => visitorOf(request, cookieName),
    signOut: async (headers) => {
      await sessions.end(signedTokenOf(headers, cookieName))
      return { cookie: sessions.cookie(null) }
    },
    session: async (headers) => {
      const signed = signedTokenOf(headers, cookieName)
      const found = await sessions.find(signed)
      if (found === null) return null
      const isCookie = found.prolonged && headers.authorization === undefined
      return { actor: found.actor, cookie: isCookie ? sessions.cookie(signed) : undefined }
    },
    userOf: (headers) => sessions.userOf(signedTokenOf(headers, cookieName)),
    authenticate: async (by) => {
      const signed = typeof by === 'string' ? by : signedTokenOf(by, cookieName)
      return (await sessions.find(signed))?.actor ?? null
    },
  }
}

/** Deletes expired rows every 15 minutes. */
function purgeExpired(jobs: Jobs, purges: readonly (() => Promise<void>)[]): void {
  const definition = { schema: z.object({}), repeat: { everyS: 900, data: {} } }
  jobs.define('identity.purge', definition, async () => {
    for (const purge of purges) await purge()
  })
}

/** Ends a user's sessions when their rights change, so that no session outlives the rights it was opened with. */
function endSessionsOnNewRights(outbox: Outbox, sessions: Pick<Sessions, 'endAll'>): void {
  outbox.on(userChanged, async ({ payload }, tx) => {
    const { user, rights } = payload as { user: string; rights: boolean }
    if (rights) await sessions.endAll(tx, user)
  })
}
