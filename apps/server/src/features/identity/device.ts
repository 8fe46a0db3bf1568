import { isSameDigest, randomToken, type Secrets } from './secrets.ts'

/** A browser that a person has signed in with before: strangers cannot use up its attempts. */
export interface Devices {
  /** What a device of that account is called; null when the cookie is not of it. */
  known(cookie: string | null, email: string): string | null
  /** The cookie's value for a device that has just signed in. */
  remember(cookie: string | null, email: string): string
}

export const deviceCookie = 'hansom.device'
export const deviceSeconds = 365 * 24 * 3600

export function createDevices(secrets: Secrets): Devices {
  const mark = (id: string, email: string) => secrets.digest('device', id, email.toLowerCase())
  const known: Devices['known'] = (cookie, email) => {
    const [id, signature, ...rest] = cookie?.split('.') ?? []
    if (!id || !signature || rest.length > 0) return null
    return isSameDigest(signature, mark(id, email)) ? id : null
  }
  return {
    known,
    remember: (cookie, email) => {
      const id = known(cookie, email) ?? randomToken()
      return `${id}.${mark(id, email)}`
    },
  }
}
