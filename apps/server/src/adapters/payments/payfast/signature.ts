import { createHash } from 'node:crypto'

export type Field = readonly [name: string, value: string | Buffer]

const plain = /[A-Za-z0-9\-_.]/

/**
 * Same as PHP's `urlencode`: a space becomes "+", and everything except letters, digits and "-_." becomes %XX in upper
 * case.
 */
export function phpUrlencode(value: string | Buffer): string {
  let text = ''
  for (const byte of typeof value === 'string' ? Buffer.from(value, 'utf8') : value) {
    const character = String.fromCharCode(byte)
    if (plain.test(character)) text += character
    else text += character === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return text
}

const joined = (fields: readonly Field[]) =>
  fields.map(([name, value]) => `${name}=${phpUrlencode(value)}`).join('&')

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/**
 * The signature of a form: MD5 of every non-empty field in the order of sending, then the passphrase.
 * Source: Payfast API documentation, "Create your checkout form"; `Auth::generateSignature` of the vendor's SDK.
 */
export function formSignature(fields: readonly [string, string][], passphrase: string): string {
  const given = fields.map(([name, value]): Field => [name, value.trim()]).filter(([, value]) => value !== '')
  return md5(joined([...given, ['passphrase', passphrase]]))
}

/** The signed text of an ITN: all its fields in the order received, including empty ones. */
export const itnText = (fields: readonly Field[]): string => joined(fields)

/** The signature of an ITN's `itnText`. Source: Payfast API documentation, "Confirm payment is successful". */
export function itnSignature(text: string, passphrase: string): string {
  return md5(`${text}&passphrase=${phpUrlencode(passphrase)}`)
}

/**
 * The signature of a REST request: headers, query, body fields and passphrase, sorted by name. Source: Payfast API
 * documentation, "Authentication"; `Auth::generateApiSignature` of the vendor's SDK, which omits the parameter
 * `testing`.
 */
export function apiSignature(values: Readonly<Record<string, string>>, passphrase: string): string {
  const all = Object.entries({ ...values, passphrase })
  return md5(joined(all.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}
