import { MessageError } from '@hansom/domain/messages/message-error'

export interface SmsMessage {
  /** A phone number in international form: `+59899123456`. */
  to: string
  text: string
  /** The message type, such as `sign_in_code`. */
  kind: string
  /** The values inserted into the text (codes), for reading stored messages. */
  params: Readonly<Record<string, string>>
  /** The user whose daily limit counts it; undefined for people without an account. */
  person?: string | undefined
}

/** Sends text messages. Sending is not transactional: call it from a job, after the commit. */
export interface Sms {
  /**
   * Resolves once the service has accepted the message. Throws SmsError. Retries after a failure may deliver a message
   * twice.
   */
  send(message: SmsMessage): Promise<void>
}

/** A message was not sent. The error text contains no phone number and no secret. */
export class SmsError extends MessageError {
  override readonly name = 'SmsError'
}

/** Throws SmsError unless `to` is a single phone number in international form (E.164). */
export function checkNumber(to: string): void {
  if (!/^\+[1-9]\d{6,14}$/.test(to)) {
    throw new SmsError('the recipient is not a phone number in international form', true)
  }
}
