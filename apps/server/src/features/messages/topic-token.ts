import { createHmac, timingSafeEqual } from 'node:crypto'
import { type MailTopic, mailTopics } from '@hansom/domain/messages/topics'

const macBytes = 16
const idBytes = 16

/**
 * What an unsubscribe link turns off: a kind of email of a user, or the messages about a user to the address with a digest
 * (base64url), which a trusted contact has or had.
 */
export type Unsubscribe = { id: string; topic: MailTopic } | { id: string; topic: 'contact'; address: string }

const contactPrefix = Buffer.from('contact ')

/**
 * A signed token that turns emails off without signing in. It does not expire, because the link in an old email has to work,
 * and it gives access to nothing else.
 */
export function unsubscribeToken(secret: string, what: Unsubscribe): string {
  // The digest's bytes, not its text: the server takes 100 characters in a path.
  const of =
    what.topic === 'contact'
      ? Buffer.concat([contactPrefix, Buffer.from(what.address, 'base64url')])
      : Buffer.from(what.topic)
  const body = Buffer.concat([Buffer.from(what.id.replaceAll('-', ''), 'hex'), of])
  return Buffer.concat([macOf(secret, body), body]).toString('base64url')
}

/** What a token turns off; null if it was not signed here. */
export function unsubscribeInToken(secret: string, token: string): Unsubscribe | null {
  const bytes = Buffer.from(token, 'base64url')
  const body = bytes.subarray(macBytes)
  if (body.length <= idBytes || bytes.toString('base64url') !== token) return null
  if (!timingSafeEqual(bytes.subarray(0, macBytes), macOf(secret, body))) return null
  const hex = body.subarray(0, idBytes).toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const of = body.subarray(idBytes)
  if (of.subarray(0, contactPrefix.length).equals(contactPrefix)) {
    return { id, topic: 'contact', address: of.subarray(contactPrefix.length).toString('base64url') }
  }
  const topic = mailTopics.find((one) => one === of.toString())
  return topic === undefined ? null : { id, topic }
}

const macOf = (secret: string, body: Buffer) =>
  createHmac('sha256', secret).update('unsubscribe').update(body).digest().subarray(0, macBytes)
