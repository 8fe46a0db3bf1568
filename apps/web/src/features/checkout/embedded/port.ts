/** Why an embedded card form got no further; the screen says it in the reader's language. */
export type EmbeddedError =
  /** The provider's script or frames did not load: no network, or something in the browser keeps them out. */
  | 'unreachable'
  /** What was typed is incomplete or cannot be right. */
  | 'incomplete'
  /** The provider refused the card before any money was asked for. */
  | 'refused'
  /** The bank did not get the proof it asked the payer for. */
  | 'unproven'

/** The words of a card form, in the reader's language. */
export interface EmbeddedTexts {
  /** Whose form it is: the name of the service. */
  title: string
  cardNumber: string
  /** With the pattern that is typed, such as "Expires (MM/YY)". */
  expiry: string
  securityCode: string
  /** The button that pays, with the amount. */
  pay: string
}

export interface EmbeddedOptions {
  /** The reader's language, such as `es` or `ar`. */
  locale: string
  texts: EmbeddedTexts
  /** What the server's `complete` is asked with. It comes again after `prove`, and when the payer tries another card. */
  onToken(input: Record<string, string>): void
  onError(error: EmbeddedError): void
}

/** A card form that stands in the page. */
export interface EmbeddedForm {
  /**
   * What the screen's own pay button does: hands in what was typed, or opens the provider's overlay again after the payer has
   * closed it.
   */
  submit(): void
  /** The server answered with a challenge: lets the payer prove it is they, and then calls `onToken` or `onError`. */
  prove(data: Readonly<Record<string, string>>): void
  /** Takes everything out of the page again. Nothing is called afterwards. */
  close(): void
}

/**
 * Puts a provider's card form into `host`, which is empty and in the page. `data` is the step's data, as the server gave
 * it. Card data goes to the provider alone; colours are those of the page at that moment. Resolves when the form can be
 * used; rejects with EmbeddedUnreachable.
 */
export type MountEmbedded = (
  data: Readonly<Record<string, string>>,
  host: HTMLElement,
  options: EmbeddedOptions,
) => Promise<EmbeddedForm>

export class EmbeddedUnreachable extends Error {
  constructor(cause?: unknown) {
    super('the card form did not load', { cause })
    this.name = 'EmbeddedUnreachable'
  }
}
