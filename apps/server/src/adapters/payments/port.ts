import type { Amount } from '@hansom/domain/money/amount'
import type { FoundPayment } from '@hansom/domain/payments/payment'
import type { PaymentProviderName } from '@hansom/domain/payments/providers'

/** One attempt to pay, as a provider is asked to start it. */
export interface Checkout {
  /** Ours, never used before: letters, digits and "-", at most 40 characters. It is also the idempotency key. */
  reference: string
  /** 10^-4 of the currency unit. */
  amount: Amount
  /** ISO 4217, upper case. */
  currency: string
  /** What is paid for, in a few plain words. */
  description: string
  payer: { id: string; firstName: string; lastName: string; email: string; phone: string | null }
  /** Where the browser comes back to, paid or not; by GET or by a form. */
  returnUrl: string
  /** Where the provider tells of the payment, from server to server. */
  webhookUrl: string
  /** The payer's language, such as `es` or `ar`. */
  locale: string
}

/** What the payer's browser does next. */
export type CheckoutStep =
  | { kind: 'redirect'; url: string }
  /** A form that the page posts by itself, with the fields in this order. */
  | { kind: 'form'; action: string; fields: [name: string, value: string][] }
  /** A page of ours that loads the provider's script; what that script needs, nothing secret. */
  | { kind: 'page'; data: Record<string, string> }

export interface StartedCheckout {
  /** The provider's own name for the attempt (session, order, preference), where it has one already. */
  providerRef: string | null
  step: CheckoutStep
}

/** An attempt as it is asked about later. */
export interface StartedPayment {
  reference: string
  amount: Amount
  currency: string
  providerRef: string | null
  /** The provider's id of the capture, once known. */
  providerId: string | null
}

/** A request from a provider, or from a browser that comes back from one, before any parser has touched it. */
export interface IncomingMessage {
  method: 'GET' | 'POST'
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  body: Buffer
  /** The address of the sender. */
  from: string
  /** Epoch ms, of the world's clock. */
  at: number
}

/** What an authentic message tells. It never pays by itself: the provider is asked. */
export interface PaymentNews {
  /** The same message has the same key, however often it comes. */
  eventKey: string
  /** Which attempt it is about: ours, or by the provider's name for it. */
  reference: string | null
  providerRef: string | null
  providerId: string | null
  /** It tells of money that went back, by a refund or by the payer's bank: `takenBack` is asked then. */
  goesBack?: boolean
  /** The facts that were signed, only where the provider has no interface to ask (securepay). */
  found?: FoundPayment
}

export type MessageReading =
  /** Forged, too old, not for us, or our secret for it is not set. `why` goes into the log: a few words, no value of it. */
  | { kind: 'refused'; why: string }
  /** Authentic, and about nothing that we keep. */
  | { kind: 'ignored'; eventKey: string }
  | { kind: 'news'; news: PaymentNews }
  /** The provider tries the address: answer this. */
  | { kind: 'answer'; body: string }

export interface RefundOrder {
  /** Ours: letters, digits and "-", at most 40 characters. It is also the idempotency key. */
  id: string
  /** 10^-4 of the currency unit. */
  amount: Amount
  /** True when it is all that was paid and nothing was refunded before. */
  whole: boolean
  /**
   * What earlier orders for this payment have given back or are about to, 10^-4: a provider without an idempotency key is
   * asked what it has refunded and held against this. One order for a payment is under way at a time.
   */
  refundedBefore: Amount
  /** The order may have reached the provider before: an answer was lost, or the server fell between. */
  repeated: boolean
  reason: string
}

/** A refund that was asked for, as it is asked about later. */
export type AskedRefund = Pick<RefundOrder, 'id' | 'amount' | 'refundedBefore'> & {
  providerRefundId: string | null
}

export type RefundAnswer =
  | { state: 'done' | 'pending'; providerRefundId: string | null }
  /** `why` is for admins: the provider's words without secrets. */
  | { state: 'failed'; why: string }

/** Money of a payment that went back at the provider, whoever began it there. */
export interface TakenBack {
  /** The provider's own name for it. */
  id: string
  /** `chargeback`: the payer's bank demands it, and has it while that is disputed. */
  kind: 'refund' | 'chargeback'
  /** 10^-4 of the currency unit. */
  amount: Amount
  /** Our order, where it was one. */
  order: string | null
  /** `failed`: it stayed with us after all. */
  state: 'done' | 'pending' | 'failed'
  /** What the provider keeps for a dispute at present, 10^-4; absent where it does not say. */
  fee?: Amount
}

/** What a provider tells of the money that went back of a payment: each time, or only how much it was in all. */
export type ToldBack = TakenBack[] | { total: Amount }

/**
 * A payment provider. Every call may throw PaymentError; none of them decides that an order is paid. Where the browser
 * may be sent and whose scripts the page may load is `hosts`.
 */
export interface PaymentProvider {
  readonly name: PaymentProviderName
  /** Real money, or a sandbox. */
  readonly live: boolean
  /** The origins that a checkout page needs beyond our own, by directive of the content policy. */
  readonly hosts: {
    form?: readonly string[]
    script?: readonly string[]
    frame?: readonly string[]
    connect?: readonly string[]
    image?: readonly string[]
    style?: readonly string[]
  }
  /** Whether this amount of this currency can be paid with this account. */
  takes(currency: string, amount: Amount): boolean
  start(checkout: Checkout): Promise<StartedCheckout>
  /**
   * Takes the money, where that needs a call of ours: with the one-time token of an embedded page, or with what the browser
   * brought back. A second call for the same payment takes nothing twice.
   */
  complete?(payment: StartedPayment, input: Readonly<Record<string, string>>): Promise<CompletedPayment>
  /** What the browser brings back. `news` is null where the way back is unsigned: nothing is believed, the provider is asked. */
  readReturn(message: IncomingMessage, payment: StartedPayment): Promise<ReturnReading>
  readWebhook(message: IncomingMessage): Promise<MessageReading>
  /**
   * Asks the provider by our reference, or by what it named its own: `providerId` is what its message has said, where we
   * have one. `message` is the raw body of the webhook that brought the news, for a provider that confirms its own messages
   * (payfast). Null: this provider cannot be asked.
   */
  verify: ((payment: StartedPayment, message?: Buffer) => Promise<FoundPayment>) | null
  /** Null: refunds are made by hand at the provider. */
  refund: ((payment: StartedPayment, order: RefundOrder) => Promise<RefundAnswer>) | null
  /** What became of a pending refund; absent where refunds end at once. */
  refundState?(payment: StartedPayment, refund: AskedRefund): Promise<RefundAnswer>
  /**
   * All that went back of a captured payment; absent where nobody tells of what was begun elsewhere. `isRoutine`: an answer
   * of the last minutes will do.
   */
  takenBack?(payment: StartedPayment, isRoutine?: boolean): Promise<ToldBack>
}

export type CompletedPayment =
  | { kind: 'found'; found: FoundPayment }
  /** The payer has to prove something more: what the page needs for it. */
  | { kind: 'challenge'; data: Record<string, string> }

export type ReturnReading =
  | { kind: 'refused'; why: string }
  | {
      kind: 'back'
      news: PaymentNews | null /** Handed to `complete`, where the provider has one. */
      complete?: Record<string, string>
    }

/** A provider did not answer, or answered what nobody can use. `message` carries no secret and no person's data. */
export class PaymentError extends Error {
  /** Asking again cannot help. */
  readonly permanent: boolean

  constructor(message: string, options: { permanent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'PaymentError'
    this.permanent = options.permanent
  }
}
