import { isSameDigest, randomToken, type Secrets } from './secrets.ts'

/** A browser that a person has signed in with before: strangers cannot use up its attempts. */
export interface Devices {
  /** What a device that has signed in as `account` (an e-mail, or a whole phone number) is called; null for any other. */
  known(cookie: string | null, account: string): string | null
  /** The cookie's value for a device that has just signed in. */
  remember(cookie: string | null, account: string): string
}

/** The one for e-mails, and the one for phone numbers. */
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
