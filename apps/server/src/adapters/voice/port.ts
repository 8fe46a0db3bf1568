/** A call that the service asks about. */
export interface IncomingCall {
  /** The caller's number; anything but E.164 if it is withheld. */
  from: string
  /** The number of the pool that they called. */
  to: string
  /** What the caller dialed after the number, as the answer `ask` requested; null before. */
  digits: string | null
}

/** What the service does with a call. */
export type CallAnswer =
  /** Connects the caller to `to`, who sees `shown`. */
  | { kind: 'connect'; to: string; shown: string }
  /** Waits for the number of a stop and asks us again with it; without one, reads the text and ends the call. */
  | { kind: 'ask'; text: string; language: string }
  /** Reads a text in a language (BCP 47) and ends the call. */
  | { kind: 'say'; text: string; language: string }

/** Connects calls between people who do not see each other's number. */
export interface Voice {
  /** The service's name, for people. */
  readonly service: string
  /** The pool of numbers, E.164. */
  readonly numbers: readonly string[]
  /** The header with the signature of a request. */
  readonly signatureHeader: string
  /** Reads the service's request for `url`, as the service knows it; null if its signature is wrong. */
  readCall(request: { url: string; form: URLSearchParams; signature: string }): IncomingCall | null
  /** The response to the service's request. */
  write(answer: CallAnswer): { type: string; body: string }
  /** Checks that each number of the pool sends its calls to `url`. Throws VoiceError with the problem. */
  check(url: string): Promise<void>
}

/** The text contains no secret. */
export class VoiceError extends Error {
  override name = 'VoiceError'
}
