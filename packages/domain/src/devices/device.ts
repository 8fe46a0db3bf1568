import type { FieldError } from '../error-keys.ts'
import type { PushPlatform } from '../push-notifications/push-notification.ts'

/** How a device is reached: a browser's subscription, or the token of a mobile app. */
export const deviceKinds = ['web', 'fcm', 'expo'] as const
export type DeviceKind = (typeof deviceKinds)[number]

/** The most devices of one user; a new one replaces the one that was seen longest ago. */
export const maxDevices = 20

/** The longest token or endpoint, characters. */
export const maxTokenLength = 2_000

/** The parts of a parsed endpoint, as in `URL`. */
export interface EndpointUrl {
  protocol: string
  host: string
  hostname: string
  port: string
  username: string
  password: string
}

/** Tells the tokens of Expo's service from those of Firebase. */
export const kindOfToken = (token: string): Exclude<DeviceKind, 'web'> =>
  /^Expo(nent)?PushToken\[.+\]$/.test(token) ? 'expo' : 'fcm'

/** Hosts of the push services of Chrome, Firefox, Edge and Safari. A leading dot includes all subdomains. */
const pushHosts = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '.updates.push.services.mozilla.com',
  '.notify.windows.com',
  '.push.apple.com',
]

const isListed = (host: string, hosts: readonly string[]) =>
  hosts.some((listed) => (listed.startsWith('.') ? host.endsWith(listed) : host === listed))

/**
 * True if the server may send to an endpoint: HTTPS on the default port of a known push service. `ownHosts` are
 * additional hosts, with their port unless it is the default one; there loopback may be HTTP.
 */
export function isPushEndpoint(url: EndpointUrl, ownHosts: readonly string[] = []): boolean {
  const { protocol, host, hostname, port, username, password } = url
  if (username !== '' || password !== '') return false
  if (isListed(host, ownHosts)) {
    return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  }
  return protocol === 'https:' && port === '' && isListed(hostname, pushHosts)
}

const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** True for Safari's service, which revokes a subscription whose messages show no notification. */
export const needsVisibleMessages = ({ hostname }: Pick<EndpointUrl, 'hostname'>): boolean =>
  isListed(hostname, ['.push.apple.com'])

/**
 * The platform that a subscription counts as: what the browser reported, unless its push service contradicts it. Null
 * for a computer.
 */
export function platformOfSubscription(
  url: Pick<EndpointUrl, 'hostname'>,
  reported: PushPlatform | null,
): PushPlatform | null {
  const isApple = needsVisibleMessages(url)
  return (reported === 'ANDROID' && isApple) || (reported === 'IOS' && !isApple) ? null : reported
}

/** Length of unpadded base64url text for a number of bytes. */
const encodedLength = (bytes: number) => Math.ceil((bytes * 4) / 3)

/**
 * All problems of a browser's subscription, by field. `url` is the parsed endpoint, null if it is none. `p256dh` is an uncompressed point of P-256 (65 bytes, the first 0x04) and
 * `auth` has 16 bytes (RFC 8291, section 3); both are base64url, with or without padding.
 */
export function subscriptionProblems(
  { url, keys }: { url: EndpointUrl | null; keys: { p256dh: string; auth: string } },
  ownHosts: readonly string[] = [],
): FieldError[] {
  const isKey = (text: string, bytes: number) =>
    /^[\w-]+={0,2}$/.test(text) && text.replace(/=+$/, '').length === encodedLength(bytes)
  const problems: FieldError[] = []
  if (url === null || !isPushEndpoint(url, ownHosts))
    problems.push({ field: 'endpoint', error: 'not_in_list' })
  // The first six bits of 0x04 are B, the next two are 0: A to P.
  if (!isKey(keys.p256dh, 65) || !/^B[A-P]/.test(keys.p256dh)) {
    problems.push({ field: 'keys.p256dh', error: 'wrong_type' })
  }
  if (!isKey(keys.auth, 16)) problems.push({ field: 'keys.auth', error: 'wrong_type' })
  return problems
}
