export interface PushMessage {
  /** The device's registration token. */
  token: string
  platform: 'ANDROID' | 'IOS'
  title: string
  body: string
  /** The screen to open, such as `DriverTrips`. */
  screen: string
}

/** Sends notifications to devices. Sending is not transactional: call it from a job. */
export interface Push {
  /**
   * Resolves once the push service has accepted the message. Throws PushError. Retries after a failure may deliver a
   * message twice.
   */
  send(message: PushMessage): Promise<void>
}

/** A message was not sent. The error text contains no token. */
export class PushError extends Error {
  /** The device is unregistered: its token is invalid. */
  readonly isUnregistered: boolean

  constructor(message: string, gone: boolean) {
    super(message)
    this.name = 'PushError'
    this.isUnregistered = gone
  }
}
