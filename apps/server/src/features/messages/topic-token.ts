import { createHmac, timingSafeEqual } from 'node:crypto'
import { type MailTopic, mailTopics } from '@hansom/domain/messages/topics'

const macBytes = 16
const idBytes = 16

/**
 * A signed token for a user and a topic, which turns emails off without signing in. It does not expire, because the link in
 * an old email has to work, and it gives access to nothing else.
 */
export function topicToken(secret: string, uid: string, topic: MailTopic): string {
  const body = Buffer.concat([Buffer.from(uid.replaceAll('-', ''), 'hex'), Buffer.from(topic)])
  return Buffer.concat([macOf(secret, body), body]).toString('base64url')
}

/** The user and topic of a token; null if it was not signed here. */
export function topicInToken(secret: string, token: string): { uid: string; topic: MailTopic } | null {
  const bytes = Buffer.from(token, 'base64url')
  const body = bytes.subarray(macBytes)
  if (body.length <= idBytes || bytes.toString('base64url') !== token) return null
  if (!timingSafeEqual(bytes.subarray(0, macBytes), macOf(secret, body))) return null
  const topic = mailTopics.find((one) => one === body.subarray(idBytes).toString())
  const hex = body.subarray(0, idBytes).toString('hex')
  const uid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return topic === undefined ? null : { uid, topic }
}

const macOf = (secret: string, body: Buffer) =>
  createHmac('sha256', secret).update('unsubscribe').update(body).digest().subarray(0, macBytes)
