/** An email or text message was not sent. The text contains no address, number or secret. */
export class MessageError extends Error {
  /** Whether retrying the same message is pointless. */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean) {
    super(message)
    this.name = 'MessageError'
    this.permanent = permanent
  }
}

/** Not sent because a daily limit is reached. Permanent: what a message says is outdated the next day. */
export class MessageLimitError extends MessageError {
  override readonly name = 'MessageLimitError'

  constructor() {
    super('a daily limit of messages is reached', true)
  }
}
