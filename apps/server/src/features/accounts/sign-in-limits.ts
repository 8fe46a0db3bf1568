import { slowDownMs } from '@hansom/domain/accounts/attempts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Attempts } from './attempts.ts'

/** Who tries to sign in. */
export interface Guesser {
  email: string
  /** From `addressKey`. */
  address: string
  /** A device this person has signed in with before. */
  device: string | null
}

export interface SignInLimits {
  /** To be called before a password is looked at. Waits, or throws too_many_requests. */
  attempt(guesser: Guesser): Promise<void>
  /**
   * Counts it with all of its address. To be called when it is looked at and not before: of the many who sign in behind one
   * address most are right, and their attempts are taken back.
   */
  attemptOfAddress(guesser: Guesser): Promise<void>
  /** After the right password. */
  succeeded(guesser: Guesser): Promise<void>
}

/**
 * Guessing gets slower for the guesser: for an account from one address, and for one address at all accounts. What comes
 * from everywhere at one account is answered later and later, but looked at: strangers can never keep its owner out. A
 * known device has attempts of its own and is held up by none of this.
 */
export function createSignInLimits(attempts: Attempts, clock: Clock): SignInLimits {
  const own = ({ email, address, device }: Guesser) =>
    device === null ? ['address', address, email.toLowerCase()] : ['device', device, email.toLowerCase()]
  return {
    attempt: async (guesser) => {
      await attempts.attempt('password', ...own(guesser))
      if (guesser.device !== null) return
      const ms = slowDownMs(await attempts.count('account', guesser.email.toLowerCase()))
      if (ms > 0) await clock.delay(ms)
    },
    attemptOfAddress: async ({ device, address }) => {
      if (device === null) await attempts.attempt('passwordsOfAddress', address)
    },
    succeeded: async (guesser) => {
      await attempts.forget('password', ...own(guesser))
      await attempts.forget('account', guesser.email.toLowerCase())
      if (guesser.device === null) await attempts.takeBack('passwordsOfAddress', guesser.address)
    },
  }
}
