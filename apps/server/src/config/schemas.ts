import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { isLoopbackUrl } from '../adapters/payments/options.ts'

export const truthy = ['1', 'true', 'on', 'yes']
export const falsy = ['0', 'false', 'off', 'no']

export const integer = (from: number, to: number, advice: string) =>
  z
    .string()
    .regex(/^\d+$/, advice)
    .transform(Number)
    .refine((value) => value >= from && value <= to, advice)

export const siteUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).pathname === '/',
    'must be an http or https URL without a path, such as https://rides.example',
  )

export const postgresUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol),
    'must look like postgresql://user:password@host:5432/name, or be left out for the embedded database',
  )

export const redisUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol),
    'must look like redis://user:password@host:6379/0 or rediss://…, or be left out for a single server',
  )

export const smtpUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && /^\/?$/.test(new URL(text).pathname),
    'must look like smtps://user:password@host:465 or smtp://user:password@host:587',
  )

export const serviceUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) &&
      (new URL(text).protocol === 'https:' || (new URL(text).protocol === 'http:' && isLoopbackUrl(text))),
    'must be an https URL',
  )

/** Phone numbers in international form, without repetition. */
export const phoneNumbers = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))])
  .refine(
    (numbers) => numbers.length <= 100 && numbers.every((number) => /^\+[1-9]\d{6,14}$/.test(number)),
    'must be at most 100 international numbers separated by commas, such as +14155550100,+14155550101',
  )

/** TileJSON, or a template of one host with the tile's numbers. */
export const tilesUrl = serviceUrl.refine(
  (text) =>
    !/[{}]/.test(new URL(text).host) &&
    (new URL(text).pathname.endsWith('.json') || ['{z}', '{x}', '{y}'].every((part) => text.includes(part))),
  'must be the https URL of a TileJSON, or a template such as https://tiles.example/{z}/{x}/{y}.mvt',
)

/** The origin of `tiles.example` or `https://tiles.example`; null for anything else, such as a path or a wildcard. */
export function originOf(text: string): string | null {
  const url = /^https?:\/\//.test(text) ? text : `https://${text}`
  if (!/^https?:\/\/[a-z0-9.-]+(:\d+)?\/?$/i.test(url) || !URL.canParse(url)) return null
  const isSafe = url.startsWith('https:') || isLoopbackUrl(url)
  return isSafe ? new URL(url).origin : null
}

export const httpUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be an http or https URL, such as https://storage.example',
  )

/** A map server of the operator; it may be in the same network, without encryption. */
export const mapServerUrl = httpUrl.refine((text) => {
  const { username, search, hash } = URL.canParse(text) ? new URL(text) : {}
  return !username && !search && !hash
}, 'must be a URL without a user, query or fragment, such as http://10.0.0.5:5000')

const areaAdvice =
  'must be west,south,east,north in degrees, at most 5 degrees wide and high, such as 7.40,43.72,7.45,43.76'

/** [west, south, east, north]. The box does not cross the 180th meridian. */
export const mapArea = z
  .string()
  .transform((text) => text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part))))
  .refine((sides): sides is [number, number, number, number] => {
    const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = sides
    const isSize = (size: number) => size > 0 && size <= 5
    return (
      sides.length === 4 &&
      isSize(east - west) &&
      isSize(north - south) &&
      Math.max(Math.abs(west), Math.abs(east)) <= 180 &&
      Math.max(Math.abs(south), Math.abs(north)) <= 85
    )
  }, areaAdvice)

/**
 * `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`; never a network of all addresses, because then every client could spoof its IP
 * address.
 */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export function isEllipticKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}

/** The used part of a Google service account's key file. */
const fcmAccount = z.object({
  project_id: z.string().regex(/^[a-z0-9:.-]{1,100}$/),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  token_uri: z.url(),
})

export type FcmAccount = z.infer<typeof fcmAccount>

/** The content of a service account's key file, or its path. */
export const fcmServiceAccount = z.string().transform((text, context) => {
  const parsed = fcmAccount.safeParse(readJson(text.trim().startsWith('{') ? text : readFile(text)))
  if (parsed.success) return parsed.data
  context.addIssue({
    code: 'custom',
    message: 'must be the JSON of a Google service account key, or the path of its file',
  })
  return z.NEVER
})

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
