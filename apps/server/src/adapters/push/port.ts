export interface PushMessage {
  /** What the device registered with. */
  token: string
  platform: 'ANDROID' | 'IOS'
  title: string
  body: string
  /** The screen that opens, such as `DriverTrips`. */
  screen: string
}

/** Sends notifications to devices. Sending is no part of a transaction: call it from a job. */
export interface Push {
  /**
   * Resolves once somebody else answers for the message. Throws PushError. A message may arrive twice when sending is
   * repeated after a failure.
   */
  send(message: PushMessage): Promise<void>
}

/** A message was not sent. The text has no token in it. */
export class PushError extends Error {
  /** The device is not there any more: its token is worth nothing. */
  readonly gone: boolean

  constructor(message: string, gone: boolean) {
    super(message)
    this.name = 'PushError'
    this.gone = gone
  }
}
