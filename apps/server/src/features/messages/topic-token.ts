import { createHmac, timingSafeEqual } from 'node:crypto'
import { type MailTopic, mailTopics } from '@hansom/domain/messages/topics'

const macBytes = 16
const idBytes = 16

/** What an unsubscribe link turns off: a kind of email of a user, or the messages to a trusted contact. */
export type UnsubscribeTopic = MailTopic | 'contact'
const topics: readonly UnsubscribeTopic[] = [...mailTopics, 'contact']

/**
 * A signed token for a user (or a trusted contact) and a topic, which turns emails off without signing in. It does not expire, because the link in
 * an old email has to work, and it gives access to nothing else.
 */
export function topicToken(secret: string, id: string, topic: UnsubscribeTopic): string {
  const body = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), Buffer.from(topic)])
  return Buffer.concat([macOf(secret, body), body]).toString('base64url')
}

/** The user or contact and the topic of a token; null if it was not signed here. */
export function topicInToken(secret: string, token: string): { id: string; topic: UnsubscribeTopic } | null {
  const bytes = Buffer.from(token, 'base64url')
  const body = bytes.subarray(macBytes)
  if (body.length <= idBytes || bytes.toString('base64url') !== token) return null
  if (!timingSafeEqual(bytes.subarray(0, macBytes), macOf(secret, body))) return null
  const topic = topics.find((one) => one === body.subarray(idBytes).toString())
  const hex = body.subarray(0, idBytes).toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return topic === undefined ? null : { id, topic }
}

const macOf = (secret: string, body: Buffer) =>
  createHmac('sha256', secret).update('unsubscribe').update(body).digest().subarray(0, macBytes)
