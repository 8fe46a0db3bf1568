import { MessageError } from '@hansom/domain/messages/message-error'

export interface MailMessage {
  /** One email address, without a display name. */
  to: string
  subject: string
  text: string
  /** The same content as a page. */
  html: string
  /** The message type, such as `verify_email`. */
  kind: string
  /** The values inserted into the text (links, codes), for reading stored messages. */
  params: Readonly<Record<string, string>>
  /** The user whose daily limit counts it; undefined for people without an account. */
  person?: string | undefined
  /**
   * The user may turn this kind of message off, at this URL: with one POST (RFC 8058), or on the page that a GET shows.
   * Undefined for messages about the account.
   */
  unsubscribe?: string | undefined
  attachments?: readonly MailAttachment[] | undefined
}

export interface MailAttachment {
  filename: string
  /** With its parameters, such as `text/calendar; charset=utf-8; method=PUBLISH`. */
  contentType: string
  content: string | Buffer
}

/** Sends mail. Sending is not transactional: call it from a job, after the commit. */
export interface Mail {
  /**
   * Resolves once the mail server has accepted the message. Throws MailError. Retries after a failure may deliver a
   * message twice.
   */
  send(message: MailMessage): Promise<void>
  /** Closes the connections after pending messages are sent. */
  close(): void
}

/** A message was not sent. The error text contains no email address and no password. */
export class MailError extends MessageError {
  override readonly name = 'MailError'
}

const oneAddress = /^[^\s@,;:<>()[\]"\\]{1,64}@[^\s@,;:<>()[\]"\\]{1,255}$/

/** Throws MailError unless `to` is exactly one email address: a list could leak a code to a stranger. */
export function checkRecipient(to: string): void {
  if (!oneAddress.test(to)) throw new MailError('the recipient is not a single email address', true)
}
