import { createSign, type KeyPairKeyObjectResult } from 'node:crypto'

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const nameOf = (commonName: string) =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))))
const timeOf = (at: number) =>
  der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(0, 14)}Z`))

/** A self-signed certificate in PEM, valid between two times (epoch ms). */
export function selfSigned(
  commonName: string,
  { publicKey, privateKey }: KeyPairKeyObjectResult,
  [from, to]: readonly [number, number],
): string {
  const sha256WithRsa = sequence(oid('2a864886f70d01010b'), der(0x05))
  const name = nameOf(commonName)
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    sha256WithRsa,
    name,
    sequence(timeOf(from), timeOf(to)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const certificate = sequence(body, sha256WithRsa, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}
