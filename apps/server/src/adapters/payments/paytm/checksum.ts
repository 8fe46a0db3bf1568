import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { timingSafeEqualText } from '../timing-safe-equal.ts'

const initialVector = '@@@@&&&&####$$$$'
const saltLength = 4

const hashOf = (text: string, salt: string) =>
  createHash('sha256').update(`${text}|${salt}`).digest('hex') + salt

/**
 * Paytm's checksum of a text: its salted SHA-256 and the salt, encrypted with AES-128-CBC and the merchant key (16
 * characters). Compatible with the vendor's package paytmchecksum 1.5.1.
 */
export function checksumOf(
  text: string,
  merchantKey: string,
  salt = randomBytes(3).toString('base64'),
): string {
  const cipher = createCipheriv('aes-128-cbc', merchantKey, initialVector)
  return cipher.update(hashOf(text, salt), 'utf8', 'base64') + cipher.final('base64')
}

/** Whether a checksum matches this text and our key. */
export function isChecksumOf(text: string, checksum: string, merchantKey: string): boolean {
  let hash: string
  try {
    const decipher = createDecipheriv('aes-128-cbc', merchantKey, initialVector)
    hash = decipher.update(checksum, 'base64', 'utf8') + decipher.final('utf8')
  } catch {
    return false
  }
  return timingSafeEqualText(hash, hashOf(text, hash.slice(-saltLength)))
}

/** The text for a form's checksum: its values sorted by name, joined with "|"; the value "null" counts as empty. */
export function formText(form: ReadonlyMap<string, string>): string {
  return [...form]
    .filter(([name]) => name !== 'CHECKSUMHASH')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => (value.toLowerCase() === 'null' ? '' : value))
    .join('|')
}
