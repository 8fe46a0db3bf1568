import { slowDownMs } from '@hansom/domain/accounts/attempts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Attempts } from './attempts.ts'

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
