/** Whose session a token is: it never changes, so it is remembered. */
export interface KnownPeople {
  /** Null for the token of no session, and when it cannot be found out. Never throws. */
  personOf(token: string): Promise<string | null>
}

const rememberMs = 600_000
const askAgainMs = 5_000
const most = 50_000

/**
 * Finds out whom requests count with, mostly without a query: also a token that was refused is remembered, so that somebody
 * who keeps asking with an ended session costs one query in a while. `time` is the machine's, ms.
 */
export function createKnownPeople(
  find: (token: string) => Promise<string | null>,
  time: () => number = () => performance.now(),
): KnownPeople {
  const known = new Map<string, { person: Promise<string | null>; askedAt: number }>()
  return {
    personOf: (token) => {
      const before = known.get(token)
      if (before !== undefined && time() - before.askedAt < rememberMs) return before.person
      const person = find(token).catch(() => {
        if (before === undefined) known.delete(token)
        // While nobody can be asked, who was known stays known.
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
