export interface MailMessage {
  /** One address, without a name. */
  to: string
  subject: string
  text: string
  html?: string
  /** What the message is for, such as `verify_email`. */
  kind: string
  /** What was put into the text (links, codes), for those who look at messages that were kept. */
  params: Readonly<Record<string, string>>
}

/** Sends mail. Sending is no part of a transaction: call it from a job, after the commit. */
export interface Mail {
  /**
   * Resolves once somebody else answers for the message. Throws MailError. A message may arrive twice when
   * sending is repeated after a failure.
   */
  send(message: MailMessage): Promise<void>
  /** Ends the connections; what is being sent is finished. */
  close(): void
}

/** A message was not sent. The text has no address and no password in it. */
export class MailError extends Error {
  /** Whether sending the same message again is pointless. */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean) {
    super(message)
    this.name = 'MailError'
    this.permanent = permanent
  }
}

const oneAddress = /^[^\s@,;:<>()[\]"\\]{1,64}@[^\s@,;:<>()[\]"\\]{1,255}$/

/** Throws MailError unless the message goes to exactly one address: a list would carry a code to a stranger. */
export function checkRecipient(to: string): void {
  if (!oneAddress.test(to)) throw new MailError('the recipient is not one mail address', true)
}
