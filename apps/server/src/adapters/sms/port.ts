export interface SmsMessage {
  /** A phone number in international form: `+59899123456`. */
  to: string
  text: string
  /** What the message is for, such as `sign_in_code`. */
  kind: string
  /** What was put into the text (codes), for those who look at messages that were kept. */
  params: Readonly<Record<string, string>>
}

/** Sends text messages. Sending is no part of a transaction: call it from a job, after the commit. */
export interface Sms {
  /**
   * Resolves once somebody else answers for the message. Throws SmsError. A message may arrive twice when
   * sending is repeated after a failure.
   */
  send(message: SmsMessage): Promise<void>
}

/** A message was not sent. The text has no phone number and no secret in it. */
export class SmsError extends Error {
  /** Whether sending the same message again is pointless. */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean) {
    super(message)
    this.name = 'SmsError'
    this.permanent = permanent
  }
}

/** Throws SmsError unless the number is one phone number in international form (E.164). */
export function checkNumber(to: string): void {
  if (!/^\+[1-9]\d{6,14}$/.test(to)) {
    throw new SmsError('the recipient is not a phone number in international form', true)
  }
}
