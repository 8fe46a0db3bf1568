import { randomInt } from 'node:crypto'
import { codeLifetimeMs } from '@hansom/domain/accounts/attempts'
import { Refusal } from '@hansom/domain/error-keys'
import { MessageError, MessageLimitError } from '@hansom/domain/messages/message-error'
import { greatestLoginCode, isLoginCode, leastLoginCode } from '@hansom/domain/users/contact'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Sms } from '../../adapters/sms/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { deleteInBatches } from '../../platform/database/transaction.ts'
import type { Log } from '../../platform/log/log.ts'
import type { MessageCounts } from '../../platform/mailbox/message-counts.ts'
import { metrics } from '../../platform/metrics/metrics.ts'
import type { Writers } from '../messages/write-messages.ts'
import type { Attempts } from './attempts.ts'
import { isSameDigest, randomToken, type Secrets } from './secrets.ts'
import { authCodesTable } from './table.ts'
import { type Devices, limitKeyOf, type Visitor } from './visitor.ts'

export type CodeKind = (typeof authCodesTable.$inferSelect)['kind']

export interface SentCode {
  verificationId: string
  /** Epoch ms. */
  expiresAt: number
  /** Seconds until another code can be requested. */
  retryAfterS: number
}

export interface Recipient {
  uid: string
  mobile: string
  locale: string | null
  /** From `limit`. */
  retryAfterS: number
}

/** Six-digit codes sent to a phone. Each has five tries, and only the requester can try it. */
export interface PhoneCodes {
  /** Counts a request before any lookup; returns the seconds until the next one. Throws too_many_requests, message_limit. */
  limit(mobile: string, visitor: Visitor): Promise<number>
  /** Throws unavailable when the message cannot be sent, message_limit beyond a daily limit. */
  send(kind: CodeKind, to: Recipient): Promise<SentCode>
  /**
   * Uses a code. Throws otp_validate_error for a malformed code, wrong_login_code for a wrong or expired one,
   * too_many_requests when its tries are used up. `uid`: the user it must belong to.
   */
  use(
    kind: CodeKind,
    verificationId: string,
    otp: string,
    uid?: string,
  ): Promise<{ uid: string; mobile: string }>
  /** Uncounts a request in the limits of its IP address after its code was entered. */
  releaseLimits(mobile: string, visitor: Visitor): Promise<void>
  purge(): Promise<void>
}

export const codeTries = 5

export interface PhoneCodesDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  attempts: Attempts
  devices: Devices
  sms: Sms
  messageCounts: Pick<MessageCounts, 'refuseWhenFull'>
  writers: Writers
  log: Log
}

export function createPhoneCodes(deps: PhoneCodesDeps): PhoneCodes {
  const { database, clock, secrets, attempts, devices, sms, writers, log } = deps
  const table = authCodesTable
  const idHash = (verificationId: string) => secrets.digest('verification', verificationId)
  const codeHash = (verificationId: string, code: string) => secrets.digest('code', verificationId, code)

  return {
    limit: async (mobile, visitor) => {
      const device = devices.known(visitor.phoneDevice ?? null, mobile)
      const address = limitKeyOf(visitor)
      const waits =
        device === null
          ? [
              await attempts.attempt('codeOfPair', mobile, address),
              await attempts.attempt('codesOfAddress', address),
              await attempts.attempt('codesOfNumber', mobile),
            ]
          : [await attempts.attempt('codeOfDevice', mobile, device)]
      // Last: a caller beyond their own limits does not reach the row that all messages share.
      await deps.messageCounts.refuseWhenFull('texts')
      return Math.ceil(Math.max(...waits) / 1000)
    },
    send: async (kind, { uid, mobile, locale, retryAfterS }) => {
      const code = String(randomInt(leastLoginCode, greatestLoginCode + 1))
      const verificationId = randomToken()
      const expiresAt = clock.now() + codeLifetimeMs
      await database.db.insert(table).values({
        verification_hash: idHash(verificationId),
        kind,
        user_id: uid,
        mobile,
        code_hash: codeHash(verificationId, code),
        expires_at: expiresAt,
      })
      const message = kind === 'sign_in' ? 'sign_in_code' : kind
      const text = (await writers.writerFor(locale)).sms(message, { code })
      try {
        await sms.send({ to: mobile, text, kind: message, params: { code }, person: uid })
      } catch (error) {
        if (!(error instanceof MessageError)) throw error
        log.warn({ err: error }, 'phone code could not be sent')
        throw new Refusal(error instanceof MessageLimitError ? 'message_limit' : 'unavailable')
      }
      return { verificationId, expiresAt, retryAfterS }
    },
    use: async (kind, verificationId, otp, uid) => {
      if (!isLoginCode(otp.trim())) throw new Refusal('otp_validate_error')
      const isThis = and(
        eq(table.verification_hash, idHash(verificationId)),
        eq(table.kind, kind),
        gt(table.expires_at, clock.now()),
        uid === undefined ? undefined : eq(table.user_id, uid),
      )
      // Counts before comparing, in one statement, so that only five of many concurrent tries are compared.
      const [tried] = await database.db
        .update(table)
        .set({ tries: sql`${table.tries} + 1` })
        .where(and(isThis, lt(table.tries, codeTries)))
        .returning()
      if (tried === undefined) {
        const [usedUp] = await database.db.select({ tries: table.tries }).from(table).where(isThis)
        throw new Refusal(usedUp === undefined ? 'wrong_login_code' : 'too_many_requests')
      }
      if (!isSameDigest(tried.code_hash, codeHash(verificationId, otp.trim()))) {
        metrics.signInFailures.inc({ kind: 'code' })
        throw new Refusal('wrong_login_code')
      }
      const taken = await database.db.delete(table).where(isThis).returning({ uid: table.user_id })
      if (taken.length === 0) throw new Refusal('wrong_login_code')
      return { uid: tried.user_id, mobile: tried.mobile }
    },
    releaseLimits: async (mobile, visitor) => {
      if (devices.known(visitor.phoneDevice ?? null, mobile) !== null) return
      await attempts.forget('codeOfPair', mobile, limitKeyOf(visitor))
      await attempts.undo('codesOfAddress', limitKeyOf(visitor))
    },
    purge: async () => {
      await deleteInBatches(database.pool, 'auth_codes', 'expires_at < $1', [clock.now()])
    },
  }
}
