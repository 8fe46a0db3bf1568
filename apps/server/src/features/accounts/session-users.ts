/** Maps session tokens to users. The mapping never changes, so it is cached. */
export interface SessionUsers {
  /** Returns null for an unknown token and when the lookup fails. Never throws. */
  userOf(token: string): Promise<string | null>
}

const rememberMs = 600_000
const askAgainMs = 5_000
const most = 50_000

/**
 * Finds the user whom the rate limits count a request for, mostly without a query. Rejected tokens are cached too, so
 * repeated requests with an ended session cost few queries. `time` is monotonic, ms.
 */
export function createSessionUsers(
  find: (token: string) => Promise<string | null>,
  time: () => number = () => performance.now(),
): SessionUsers {
  const known = new Map<string, { person: Promise<string | null>; askedAt: number }>()
  return {
    userOf: (token) => {
      const before = known.get(token)
      if (before !== undefined && time() - before.askedAt < rememberMs) return before.person
      const person = find(token).catch(() => {
        if (before === undefined) known.delete(token)
        // Keeps the known user while the database is unavailable.
        else known.set(token, { person: before.person, askedAt: time() - rememberMs + askAgainMs })
        return before?.person ?? null
      })
      known.delete(token)
      known.set(token, { person, askedAt: time() })
      if (known.size > most) {
        const [oldest] = known.keys()
        if (oldest !== undefined) known.delete(oldest)
      }
      return person
    },
  }
}
