import { isSameDigest, randomToken, type Secrets } from './secrets.ts'

/** Recognizes browsers that a user has signed in with; they have their own limits, which strangers cannot use up. */
export interface Devices {
  /**
   * Returns the id of a device that has signed in as `account` (an email address or full phone number); null otherwise.
   */
  known(cookie: string | null, account: string): string | null
  /** Returns the cookie value for a device that has just signed in. */
  remember(cookie: string | null, account: string): string
}

/** One cookie for sign-ins by email, one for sign-ins by phone. */
export const deviceCookie = 'hansom.device'
export const phoneDeviceCookie = 'hansom.phone'
export const deviceSeconds = 365 * 24 * 3600

export function createDevices(secrets: Secrets): Devices {
  const mark = (id: string, account: string) => secrets.digest('device', id, account.toLowerCase())
  const known: Devices['known'] = (cookie, account) => {
    const [id, signature, ...rest] = cookie?.split('.') ?? []
    if (!id || !signature || rest.length > 0) return null
    return isSameDigest(signature, mark(id, account)) ? id : null
  }
  return {
    known,
    remember: (cookie, account) => {
      const id = known(cookie, account) ?? randomToken()
      return `${id}.${mark(id, account)}`
    },
  }
}
