import type { Amount } from '@hansom/domain/money/amount'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import type { PaymentProviderName } from '@hansom/domain/payments/providers'

/** A payment attempt to start at a provider. */
export interface Checkout {
  /** Our unique reference: letters, digits and "-", at most 40 characters. Also the idempotency key. */
  reference: string
  /** 10^-4 of the currency unit. */
  amount: Amount
  /** ISO 4217, upper case. */
  currency: string
  /** A short description of the purchase. */
  description: string
  payer: { id: string; firstName: string; lastName: string; email: string; phone: string | null }
  /** The URL that the browser returns to, paid or not; by GET or a posted form. */
  returnUrl: string
  /** The provider's webhook URL. */
  webhookUrl: string
  /** The payer's language, such as `es` or `ar`. */
  locale: string
}

/** The next step of the payer's browser. */
export type CheckoutStep =
  | { kind: 'redirect'; url: string }
  /** A form that the page submits automatically, with the fields in this order. */
  | { kind: 'form'; action: string; fields: [name: string, value: string][] }
  /** Our page that loads the provider's script; `data` is passed to the script and contains no secrets. */
  | { kind: 'page'; data: Record<string, string> }

export interface StartedCheckout {
  /** The provider's id of the attempt (session, order, preference), if it already has one. */
  providerRef: string | null
  step: CheckoutStep
}

/** A started attempt, for later requests to the provider. */
export interface StartedPayment {
  reference: string
  amount: Amount
  currency: string
  providerRef: string | null
  /** The provider's id of the captured payment, once known. */
  providerId: string | null
}

/** An unparsed request from a provider, or from a browser that returns from one. */
export interface IncomingMessage {
  method: 'GET' | 'POST'
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  body: Buffer
  /** The sender's IP address. */
  from: string
  /** Epoch ms, real time. */
  at: number
}

/** The content of an authentic message. It never settles a payment: the provider's API decides. */
export interface PaymentEvent {
  /** The same for every delivery of a message. */
  eventKey: string
  /** The attempt: our reference, or the provider's id. */
  reference: string | null
  providerRef: string | null
  providerId: string | null
  /** The message reports a refund or chargeback: `takenBack` has to be called. */
  isReversal?: boolean
  /** The signed payment data, only for a provider without a query API (securepay). */
  found?: ReportedPayment
}

export type MessageReading =
  /** Forged, too old, for another recipient, or our secret is not set. `why` is logged: a few words, no values. */
  | { kind: 'refused'; why: string }
  /** Authentic, but not relevant to us. */
  | { kind: 'ignored'; eventKey: string }
  | { kind: 'event'; event: PaymentEvent }
  /** The provider verifies the URL: send this response. */
  | { kind: 'answer'; body: string }

export interface RefundOrder {
  /** Our id: letters, digits and "-", at most 40 characters. Also the idempotency key. */
  id: string
  /** 10^-4 of the currency unit. */
  amount: Amount
  /** True if the order covers the full payment and nothing was refunded before. */
  whole: boolean
  /**
   * The sum of earlier orders for this payment, completed or pending, 10^-4. For a provider without idempotency keys,
   * it is compared with the refunded total. Only one order per payment is in progress at a time.
   */
  refundedBefore: Amount
  /** The order may have reached the provider before: a response was lost, or the server crashed. */
  repeated: boolean
  reason: string
}

/** A requested refund, for later status queries. */
export type PendingRefund = Pick<RefundOrder, 'id' | 'amount' | 'refundedBefore'> & {
  providerRefundId: string | null
}

export type RefundResult =
  | { state: 'done' | 'pending'; providerRefundId: string | null }
  /** `why` is for admins: the provider's message without secrets. */
  | { state: 'failed'; why: string }

/** A refund or chargeback of a payment, initiated by us, the provider or the payer's bank. */
export interface Reversal {
  /** The provider's id. */
  id: string
  /** `chargeback`: the payer's bank demands the money and holds it during the dispute. */
  kind: 'refund' | 'chargeback'
  /** 10^-4 of the currency unit. */
  amount: Amount
  /** Our order's id, if we initiated it. */
  order: string | null
  /** `failed`: the money stayed with us. */
  state: 'done' | 'pending' | 'failed'
  /** The provider's current dispute fee, 10^-4; absent if unknown. */
  fee?: Amount
}

/** The refunds and chargebacks of a payment, or only their total. */
export type ReversalReport = Reversal[] | { total: Amount }

/**
 * A payment provider. Every call may throw PaymentError; none of them marks an order as paid. `hosts` lists where the
 * browser may be redirected and which scripts the page may load.
 */
export interface PaymentProvider {
  readonly name: PaymentProviderName
  /** Live mode or sandbox. */
  readonly live: boolean
  /** Additional origins that a checkout page needs, by directive of the content security policy. */
  readonly hosts: {
    form?: readonly string[]
    script?: readonly string[]
    frame?: readonly string[]
    connect?: readonly string[]
    image?: readonly string[]
    style?: readonly string[]
  }
  /** Whether this account accepts this amount in this currency. */
  accepts(currency: string, amount: Amount): boolean
  start(checkout: Checkout): Promise<StartedCheckout>
  /**
   * Captures the payment if we have to request it: with the one-time token of an embedded page, or with data from the
   * browser's return. Idempotent per payment.
   */
  complete?(payment: StartedPayment, input: Readonly<Record<string, string>>): Promise<CompletedPayment>
  /**
   * Reads the browser's return. `event` is null if the return is unsigned: it proves nothing, and the provider is
   * queried.
   */
  readReturn(message: IncomingMessage, payment: StartedPayment): Promise<ReturnReading>
  readWebhook(message: IncomingMessage): Promise<MessageReading>
  /**
   * Queries the provider by our reference or by its id, `providerId`, if a message contained it. `message` is the raw
   * webhook body, for a provider that confirms its messages (payfast). Null if the provider has no query API.
   */
  verify: ((payment: StartedPayment, message?: Buffer) => Promise<ReportedPayment>) | null
  /** Null: refunds are made manually at the provider. */
  refund: ((payment: StartedPayment, order: RefundOrder) => Promise<RefundResult>) | null
  /** The state of a pending refund; absent if refunds complete immediately. */
  refundState?(payment: StartedPayment, refund: PendingRefund): Promise<RefundResult>
  /**
   * All refunds and chargebacks of a captured payment; absent if the provider does not report them. `isRoutine`: a
   * response cached for a few minutes is sufficient.
   */
  listReversals?(payment: StartedPayment, isRoutine?: boolean): Promise<ReversalReport>
}

export type CompletedPayment =
  | { kind: 'found'; found: ReportedPayment }
  /** The payer has to complete a challenge; `data` is what the page needs for it. */
  | { kind: 'challenge'; data: Record<string, string> }

export type ReturnReading =
  | { kind: 'refused'; why: string }
  | {
      kind: 'back'
      event: PaymentEvent | null
      complete?: Record<string, string>
    }

/** A provider did not respond, or its response is unusable. `message` contains no secrets and no personal data. */
export class PaymentError extends Error {
  /** Retrying cannot help. */
  readonly permanent: boolean

  constructor(message: string, options: { permanent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'PaymentError'
    this.permanent = options.permanent
  }
}
