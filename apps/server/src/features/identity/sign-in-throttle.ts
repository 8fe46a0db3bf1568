import { Refusal } from '@hansom/domain/error-keys'
import type { Clock } from '../../platform/clock/clock.ts'

/** Slows guessing down. */
export interface SignInThrottle {
  /**
   * Call before a password is looked at. Counts an attempt, waits when the account has seen many failures, and
   * throws too_many_requests with `retryAfterS` while this address must wait.
   */
  attempt(email: string, address: string): Promise<void>
  /** Call after the right password: what was held against this address and account is forgotten. */
  succeeded(email: string, address: string): void
}

interface Failures {
  count: number
  last: number
  blockedUntil: number
}

const memoryMs = 30 * 60_000
const rememberedKeys = 20_000
const pairAllowed = 5
const addressAllowed = 30
const accountAllowed = 10
const longestBlockMs = 5 * 60_000
const longestWaitMs = 2_000

/**
 * An address that fails on one account, or on many, waits 1 s, then twice as long each time, up to 5 minutes. An account that
 * fails from many addresses answers everybody up to 2 s later, but it lets the right password in: strangers
 * can never lock its owner out. Kept in memory: a restart forgives.
 */
export function createSignInThrottle(clock: Clock): SignInThrottle {
  const pairs = new Map<string, Failures>()
  const addresses = new Map<string, Failures>()
  const accounts = new Map<string, Failures>()
  const pairKey = (email: string, address: string) => `${address} ${email}`

  return {
    attempt: async (email, address) => {
      const now = clock.now()
      const account = email.toLowerCase()
      const pair = recent(pairs, pairKey(account, address), now)
      const place = recent(addresses, address, now)
      const blockedUntil = Math.max(pair.blockedUntil, place.blockedUntil)
      if (blockedUntil > now) {
        throw new Refusal('too_many_requests', {
          data: { retryAfterS: Math.max(1, Math.ceil((blockedUntil - now) / 1000)) },
        })
      }
      // Counted before the password is checked, so that many attempts at once are many attempts.
      count(pair, now, pairAllowed)
      count(place, now, addressAllowed)
      const person = recent(accounts, account, now)
      count(person, now, Number.POSITIVE_INFINITY)
      if (person.count > accountAllowed) {
        await clock.delay(Math.min(longestWaitMs, 100 * 2 ** (person.count - accountAllowed)))
      }
    },
    succeeded: (email, address) => {
      const account = email.toLowerCase()
      pairs.delete(pairKey(account, address))
      accounts.delete(account)
      const place = addresses.get(address)
      if (place === undefined) return
      place.count = Math.max(0, place.count - 1)
      place.blockedUntil = 0
    },
  }
}

function recent(map: Map<string, Failures>, key: string, now: number): Failures {
  const known = map.get(key)
  if (known !== undefined && now - known.last < memoryMs) return known
  const fresh: Failures = { count: 0, last: now, blockedUntil: 0 }
  map.delete(key)
  map.set(key, fresh)
  if (map.size > rememberedKeys) {
    for (const oldest of map.keys()) {
      map.delete(oldest)
      break
    }
  }
  return fresh
}

function count(failures: Failures, now: number, allowed: number): void {
  failures.count += 1
  failures.last = now
  const over = failures.count - allowed
  if (over >= 0) failures.blockedUntil = now + Math.min(longestBlockMs, 1000 * 2 ** over)
}
