/** Why an embedded card form failed; the screen shows it in the user's language. */
export type EmbeddedError =
  /** The provider's script or frames did not load: no network, or blocked by the browser. */
  | 'unreachable'
  /** The input is incomplete or invalid. */
  | 'incomplete'
  /** The provider refused the card before the charge. */
  | 'refused'
  /** The payer did not pass the bank's challenge. */
  | 'unproven'

/** The texts of a card form, in the user's language. */
export interface EmbeddedTexts {
  /** The name of the service. */
  title: string
  cardNumber: string
  /** With the input pattern, such as "Expires (MM/YY)". */
  expiry: string
  securityCode: string
  /** Label of the pay button, with the amount. */
  pay: string
}

export interface EmbeddedOptions {
  /** The user's language, such as `es` or `ar`. */
  locale: string
  texts: EmbeddedTexts
  /** Called with the input of the server's `complete`; called again after `prove` and for another card. */
  onToken(input: Record<string, string>): void
  onError(error: EmbeddedError): void
}

/** A mounted card form. */
export interface EmbeddedForm {
  /**
   * Runs on the screen's own pay button: submits the input, or reopens the provider's overlay after the payer closed it.
   */
  submit(): void
  /** Shows the bank's challenge that the server returned, then calls `onToken` or `onError`. */
  prove(data: Readonly<Record<string, string>>): void
  /** Removes everything from the page. No callback runs afterwards. */
  close(): void
}

/**
 * Mounts a provider's card form into `host`, an empty element of the page. `data` is the step's data from the server. Card
 * data goes to the provider only; colors are the page's current ones. Resolves when the form is usable; rejects with
 * EmbeddedUnreachable.
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

/** The page's current colors and fonts, as values that another document can use. */
export interface PageLook {
  surface: string
  text: string
  faint: string
  accent: string
  onAccent: string
  danger: string
  fontFamily: string
}

/** Reads the look at `host`: a provider's frames inherit no styles and no CSS variables. */
export function pageLook(host: HTMLElement): PageLook {
  const probe = host.appendChild(document.createElement('span'))
  const colour = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const look = {
    surface: colour('--h-surface'),
    text: colour('--h-ink'),
    faint: colour('--h-ink-3'),
    accent: colour('--h-accent'),
    onAccent: colour('--h-on-accent'),
    danger: colour('--h-danger'),
    fontFamily: getComputedStyle(probe).fontFamily,
  }
  probe.remove()
  return look
}
