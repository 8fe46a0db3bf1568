import { createECDH } from 'node:crypto'
import { join } from 'node:path'
import { InvalidSecretError, storedOnce } from './stored-once.ts'

/** A key pair for VAPID (RFC 8292): base64url of an uncompressed P-256 point, and of its 32 byte private key. */
export interface VapidKeyPair {
  publicKey: string
  privateKey: string
}

const privateBytes = 32

/**
 * Returns the configured keys, or those generated at the first start and stored under the data folder. Browsers subscribe
 * with the public key, so other keys end all subscriptions; several servers need the same ones. Throws
 * InvalidSecretError for keys that do not belong together.
 */
export async function vapidKeys(config: {
  vapidKeys: VapidKeyPair | null
  dataDir: string
}): Promise<VapidKeyPair> {
  if (config.vapidKeys !== null) {
    if (isKeyPair(config.vapidKeys)) return config.vapidKeys
    throw new InvalidSecretError('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not a key pair.')
  }
  const file = join(config.dataDir, 'vapid-keys.json')
  const text = await storedOnce(file, () => JSON.stringify(generateKeys()))
  const keys = readKeys(text)
  if (keys !== null) return keys
  throw new InvalidSecretError(
    `The keys in ${file} are invalid.\n` +
      'Restore the file from a backup, or remove it; browsers then subscribe to notifications again.',
  )
}

/** Makes a new pair. */
export function generateKeys(): VapidKeyPair {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  // Leading zeros are left out of the key.
  const key = ecdh.getPrivateKey()
  const padded = Buffer.concat([Buffer.alloc(privateBytes - key.length), key])
  return { publicKey: ecdh.getPublicKey('base64url'), privateKey: padded.toString('base64url') }
}

/** True if the keys belong together. */
export function isKeyPair({ publicKey, privateKey }: VapidKeyPair): boolean {
  const key = Buffer.from(privateKey, 'base64url')
  if (key.length !== privateBytes) return false
  try {
    const ecdh = createECDH('prime256v1')
    ecdh.setPrivateKey(key)
    return ecdh.getPublicKey().equals(Buffer.from(publicKey, 'base64url'))
  } catch {
    return false
  }
}

/** The pair in the text of the file; null if it is none. */
export function readKeys(text: string): VapidKeyPair | null {
  try {
    const { publicKey, privateKey } = JSON.parse(text) as Partial<VapidKeyPair>
    if (typeof publicKey !== 'string' || typeof privateKey !== 'string') return null
    return isKeyPair({ publicKey, privateKey }) ? { publicKey, privateKey } : null
  } catch {
    return null
  }
}
