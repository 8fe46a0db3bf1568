import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** scrypt with 32 MB and about a tenth of a second per hash. Stored hashes depend on all of these. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }
const keyBytes = 64

/**
 * Hashes a password as `<salt>:<key>` in hex: the format in which better-auth has stored them. The salt's hex text, not
 * its bytes, goes into the function.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex')
  return `${salt}:${(await derive(password, salt)).toString('hex')}`
}

/** Compares in constant time. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':')
  const stored = Buffer.from(key, 'hex')
  const derived = await derive(password, salt)
  return stored.length === derived.length && timingSafeEqual(stored, derived)
}

function derive(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}
