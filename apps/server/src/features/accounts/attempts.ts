import { createHash } from 'node:crypto'
import {
  type AttemptRule,
  attemptRules,
  beginsWithZeros,
  slowDownMs,
  type Work,
  type WorkOrder,
  workBits,
  workParts,
  workText,
} from '@hansom/domain/accounts/attempts'
import { Refusal } from '@hansom/domain/error-keys'
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock/clock.ts'
import { deleteInBatches } from '../../platform/database/transaction.ts'
import { randomToken, type Secrets, sealed, unsealed } from './secrets.ts'

export type AttemptKind = keyof typeof attemptRules

/** Counts attempts in the database; concurrent attempts pass in the same number as sequential ones. */
export interface Attempts {
  /**
   * Counts an attempt; returns the ms to wait before the next one. Throws too_many_requests with `retryAfterS` while
   * blocked.
   */
  attempt(kind: AttemptKind, ...of: string[]): Promise<number>
  /** Counts an attempt; false while blocked. */
  isAllowed(kind: AttemptKind, ...of: string[]): Promise<boolean>
  /** Only counts; returns the number of recent attempts. */
  count(purpose: string, ...of: string[]): Promise<number>
  /** Resets a counter. */
  forget(kind: AttemptKind | (string & {}), ...of: string[]): Promise<void>
  /** Removes one attempt that turned out to be legitimate. */
  undo(kind: AttemptKind, ...of: string[]): Promise<void>
  /** Removes expired counters. */
  purge(): Promise<void>
}

const countMemoryMs = 3_600_000
const keptMs = 86_400_000

export function createAttempts(pool: Pool, clock: Clock, secrets: Secrets): Attempts {
  const keyOf = (purpose: string, of: readonly string[]) => secrets.digest(`attempts:${purpose}`, ...of)

  const attempt = async (kind: AttemptKind, of: readonly string[]) => {
    const key = keyOf(kind, of)
    const now = clock.now()
    const { allowed, firstWaitMs, longestWaitMs, memoryMs }: AttemptRule = attemptRules[kind]
    // Returns no row while the key is blocked; the row lock serializes concurrent attempts.
    const { rows: counted } = await pool.query<{ blocked_until: number }>(
      `insert into auth_attempts as a (key, count, last_at, blocked_until)
       values ($1, 1, $2::bigint, case when $3::int <= 1 then $2::bigint + $4::bigint else 0 end)
       on conflict (key) do update set
         count = case when a.last_at < $2::bigint - $6::bigint then 1 else a.count + 1 end,
         last_at = $2::bigint,
         blocked_until = case
           when a.last_at < $2::bigint - $6::bigint then case when $3::int <= 1 then $2::bigint + $4::bigint else 0 end
           when a.count + 1 < $3::int then 0
           else $2::bigint + least($5::bigint, $4::bigint * power(2, least(20, a.count + 1 - $3::int))::bigint)
         end
       where a.blocked_until <= $2::bigint
       returning blocked_until`,
      [key, now, allowed, firstWaitMs, longestWaitMs, memoryMs],
    )
    const [mine] = counted
    if (mine !== undefined) return { isLetThrough: true, waitMs: Math.max(0, mine.blocked_until - now) }
    const { rows } = await pool.query<{ blocked_until: number }>(
      'select blocked_until from auth_attempts where key = $1',
      [key],
    )
    return { isLetThrough: false, waitMs: Math.max(1, (rows[0]?.blocked_until ?? 0) - now) }
  }

  return {
    isAllowed: async (kind, ...of) => (await attempt(kind, of)).isLetThrough,
    attempt: async (kind, ...of) => {
      const { isLetThrough, waitMs } = await attempt(kind, of)
      if (isLetThrough) return waitMs
      throw new Refusal('too_many_requests', { data: { retryAfterS: Math.ceil(waitMs / 1000) } })
    },
    count: async (purpose, ...of) => {
      const { rows } = await pool.query<{ count: number }>(
        `insert into auth_attempts as a (key, count, last_at) values ($1, 1, $2::bigint)
         on conflict (key) do update set
           count = case when a.last_at < $2::bigint - $3::bigint then 1 else a.count + 1 end, last_at = $2::bigint
         returning count`,
        [keyOf(purpose, of), clock.now(), countMemoryMs],
      )
      return rows[0]?.count ?? 0
    },
    forget: async (kind, ...of) => {
      await pool.query('delete from auth_attempts where key = $1', [keyOf(kind, of)])
    },
    undo: async (kind, ...of) => {
      await pool.query(
        'update auth_attempts set count = greatest(0, count - 1), blocked_until = 0 where key = $1',
        [keyOf(kind, of)],
      )
    },
    purge: async () => {
      const now = clock.now()
      await deleteInBatches(pool, 'auth_attempts', 'last_at < $1 and blocked_until < $2', [now - keptMs, now])
    },
  }
}

/** The party that tries to sign in. */
export interface Guesser {
  email: string
  /** From `addressKey`. */
  ipKey: string
  /** A device that this user has signed in with before. */
  device: string | null
}

export interface SignInLimits {
  /** Call before checking a password. Waits, or throws too_many_requests. */
  attempt(guesser: Guesser): Promise<void>
  /**
   * Counts the attempt for its IP address. Call only when the password is checked: most sign-ins from a shared address
   * are correct, and their attempts are taken back.
   */
  attemptByIp(guesser: Guesser): Promise<void>
  /** Call after a correct password. */
  succeeded(guesser: Guesser): Promise<void>
}

/**
 * Slows down guesses per account and IP address, and per IP address for all accounts. Distributed guesses at one
 * account are delayed more and more but still checked, so strangers can never lock its owner out. A known device has
 * separate limits and is not delayed.
 */
export function createSignInLimits(attempts: Attempts, clock: Clock): SignInLimits {
  const own = ({ email, ipKey: address, device }: Guesser) =>
    device === null ? ['address', address, email.toLowerCase()] : ['device', device, email.toLowerCase()]
  return {
    attempt: async (guesser) => {
      await attempts.attempt('password', ...own(guesser))
      if (guesser.device !== null) return
      const ms = slowDownMs(await attempts.count('account', guesser.email.toLowerCase()))
      if (ms > 0) await clock.delay(ms)
    },
    attemptByIp: async ({ device, ipKey: address }) => {
      if (device === null) await attempts.attempt('passwordsOfAddress', address)
    },
    succeeded: async (guesser) => {
      await attempts.forget('password', ...own(guesser))
      await attempts.forget('account', guesser.email.toLowerCase())
      if (guesser.device === null) await attempts.undo('passwordsOfAddress', guesser.ipKey)
    },
  }
}

const livesMs = 10 * 60_000
const purpose = 'work order'

/** Demands proof of work before a code is sent to a number: cheap for a person, expensive for a bot that sends many. */
export interface ProofOfWork {
  /**
   * Throws proof_of_work_needed, with a new challenge as data, unless the work for that number was done. Work counts
   * once.
   */
  check(mobile: string, work: Work | undefined): Promise<void>
}

export function createProofOfWork(
  secrets: Secrets,
  attempts: Attempts,
  clock: Clock,
  bits = workBits,
): ProofOfWork {
  const isDone = ({ challenge, nonces }: Work) =>
    nonces.length === workParts &&
    nonces.every((nonce, part) =>
      beginsWithZeros(
        createHash('sha256')
          .update(workText(challenge, part, nonce))
          .digest(),
        bits,
      ),
    )
  return {
    check: async (mobile, work) => {
      const order =
        work === undefined
          ? null
          : unsealed<{ id: string; mobile: string }>(secrets, purpose, work.challenge, clock.now())
      const isRight = order?.mobile === mobile && work !== undefined && isDone(work)
      // Only the first use counts.
      if (isRight && (await attempts.count('work', order.id)) === 1) return
      const challenge = sealed(secrets, purpose, { id: randomToken(), mobile }, clock.now() + livesMs)
      const data: WorkOrder = { challenge, parts: workParts, bits }
      throw new Refusal('proof_of_work_needed', { data: { ...data } })
    },
  }
}
