import { createSign, generateKeyPairSync, type KeyPairKeyObjectResult, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { selfSigned } from './certificate.ts'
import type { Falsified, SentMessage } from './double.ts'

export interface PaypalSigner {
  /** The certificate of the signatures, as PEM. */
  certificate: string
  /** A message with the signature of `event` and the body `sent`; `forged` signs with a foreign key. */
  signed(event: object, falsified: Falsified, sent?: object): SentMessage
}

/** Path of the URL from which the receiver of a message loads the certificate. */
export const certificatePath = '/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77'
const certificateHost = 'messageverificationcerts.sandbox.paypal.com'
const dayMs = 86_400_000

// Generated once because it is slow.
let keys: { ours: KeyPairKeyObjectResult; foreign: KeyPairKeyObjectResult } | undefined
const newPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Signs webhook messages as PayPal does, with a certificate that is valid from yesterday until tomorrow. */
export function createPaypalSigner(webhookId: string): PaypalSigner {
  keys ??= { ours: newPair(), foreign: newPair() }
  const { ours, foreign } = keys
  const now = Date.now()
  return {
    certificate: selfSigned(certificateHost, ours, [now - dayMs, now + dayMs]),
    signed(event, { forged, agedMs = 0 }, sent = event) {
      const id = randomUUID()
      const time = new Date(Date.now() - agedMs).toISOString().replace(/\.\d+Z$/, 'Z')
      const signature = createSign('sha256')
        .update(`${id}|${time}|${webhookId}|${crc32(JSON.stringify(event))}`)
        .sign(forged ? foreign.privateKey : ours.privateKey, 'base64')
      return {
        method: 'POST',
        url: 'https://rides.example/pay/paypal/webhook',
        headers: {
          'content-type': 'application/json',
          'PAYPAL-AUTH-ALGO': 'SHA256withRSA',
          'PAYPAL-CERT-URL': `https://api.sandbox.paypal.com${certificatePath}`,
          'PAYPAL-TRANSMISSION-ID': id,
          'PAYPAL-TRANSMISSION-SIG': signature,
          'PAYPAL-TRANSMISSION-TIME': time,
        },
        body: JSON.stringify(sent),
      }
    },
  }
}
