import './culqi.module.css'
import { loadScript } from './load-script.ts'
import { type EmbeddedOptions, EmbeddedUnreachable, type MountEmbedded, pageLook } from './port.ts'

interface Checkout {
  /** Called when there is a token or an error. */
  culqi: (() => void) | undefined
  token?: { id?: string } | null
  error?: object | null
  open(): void
  close(): void
}

interface Proof {
  publicKey: string
  settings: {
    charge: { totalAmount: number; currency: string; returnUrl: string }
    card: { email: string }
  }
  options: { showModal: boolean; showLoading: boolean; showIcon: boolean; closeModalAction(): void }
  generateDevice(): Promise<string | null>
  initAuthentication(token: string): unknown
  reset(): void
}

type CulqiWindow = Window & {
  CulqiCheckout?: new (publicKey: string, configuration: object) => Checkout
  Culqi3DS?: Proof
}

/** The fields of a 3-D Secure proof, as sent with the charge. */
const proofFields = ['eci', 'xid', 'cavv', 'protocolVersion', 'directoryServerTransactionId'] as const

/**
 * Culqi's card form: Checkout Custom, an overlay of the provider that opens immediately, and its 3-D Secure library
 * (vendor's pages "Checkout Custom" and "Culqi 3DS"). Not verified with the vendor: the look, and that closing the overlay
 * calls nothing; the screen's own button opens it again.
 */
export const mountCulqi: MountEmbedded = async (data, host, options) => {
  const { scriptUrl = '', proofScriptUrl = '', publicKey = '', amount = '', currency = '', email = '' } = data
  await Promise.all([loadScript(scriptUrl), loadScript(proofScriptUrl)])
  const { CulqiCheckout, Culqi3DS: proof } = window as CulqiWindow
  if (!CulqiCheckout || !proof) throw new EmbeddedUnreachable()

  proof.reset()
  proof.publicKey = publicKey
  const device = await proof.generateDevice().catch(() => null)
  const checkout = new CulqiCheckout(publicKey, configuration(data, host, options))
  let token = ''
  let isProving = false
  let isClosed = false

  const { firstName = '', lastName = '', phone = '' } = data
  const tell = (proven: Record<string, string>) => {
    const payer = { email, firstName, lastName, phone, ...(device ? { device } : {}) }
    options.onToken({ token, ...payer, ...proven })
  }

  const unproven = () => {
    if (!isProving || isClosed) return
    isProving = false
    options.onError('unproven')
  }

  checkout.culqi = () => {
    if (isClosed) return
    if (!checkout.token?.id) return options.onError('refused')
    token = checkout.token.id
    checkout.close()
    tell({})
  }

  /** The library reports the proof by a message to its own page. */
  const heard = ({ origin, data: told }: MessageEvent<unknown>) => {
    if (origin !== location.origin || !isProving || typeof told !== 'object' || told === null) return
    const proven = 'parameters3DS' in told ? proofOf(told.parameters3DS) : null
    if (proven) {
      isProving = false
      tell(proven)
    } else if ('error' in told && told.error) unproven()
  }
  window.addEventListener('message', heard)

  checkout.open()
  return {
    submit: () => checkout.open(),
    prove: () => {
      isProving = true
      proof.settings = {
        charge: { totalAmount: Number(amount), currency, returnUrl: location.href },
        card: { email },
      }
      proof.options = { showModal: true, showLoading: true, showIcon: true, closeModalAction: unproven }
      proof.initAuthentication(token)
    },
    close: () => {
      isClosed = true
      window.removeEventListener('message', heard)
      checkout.close()
      proof.reset()
    },
  }
}

function configuration(
  data: Readonly<Record<string, string>>,
  host: HTMLElement,
  { locale, texts }: EmbeddedOptions,
): object {
  const look = pageLook(host)
  return {
    settings: { title: texts.title, currency: data.currency, amount: Number(data.amount) },
    client: { email: data.email },
    options: {
      lang: locale.startsWith('es') ? 'es' : 'en',
      installments: false,
      modal: true,
      paymentMethods: {
        tarjeta: true,
        yape: false,
        bancaMovil: false,
        agente: false,
        billetera: false,
        cuotealo: false,
      },
    },
    appearance: {
      theme: 'default',
      hiddenCulqiLogo: false,
      buttonCardPayText: texts.pay,
      defaultStyle: {
        bannerColor: look.surface,
        priceColor: look.text,
        linksColor: look.text,
        menuColor: look.text,
        buttonBackground: look.accent,
        buttonTextColor: look.onAccent,
      },
      variables: {
        fontFamily: look.fontFamily,
        colorBackground: look.surface,
        colorText: look.text,
        colorTextPlaceholder: look.faint,
        colorPrimary: look.accent,
        colorPrimaryText: look.onAccent,
      },
    },
  }
}

function proofOf(told: unknown): Record<string, string> | null {
  if (typeof told !== 'object' || told === null) return null
  const values = new Map(Object.entries(told))
  return Object.fromEntries(
    proofFields.flatMap((field) => {
      const value: unknown = values.get(field)
      return typeof value === 'string' ? [[field, value]] : []
    }),
  )
}
