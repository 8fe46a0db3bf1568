/** An action of the payer, or a later one of the provider. */
export type PayerAction = 'approve' | 'decline' | 'leave'

/** A request that the provider sends to us, directly or through a browser. */
export interface SentMessage {
  method: 'GET' | 'POST'
  /** Our URL for the provider, including the query it adds. */
  url: string
  headers: Record<string, string>
  body: string
}

/** How to falsify a message or the provider's data. Amounts in 10^-4 of the currency unit. */
export interface Falsified {
  amount?: number
  currency?: string
  /** Signed with another secret. */
  forged?: boolean
  /** Signed with a time this many ms ago, if the provider signs a time. */
  agedMs?: number
}

/**
 * A local payment provider: its documented API (which rejects what the real one rejects: wrong keys, wrong signatures,
 * reused references), its pages for a browser, and controls for tests.
 */
export interface ProviderDouble {
  /** The variables that configure the server to use it. */
  environment: Record<string, string>
  /** A currency and an amount (10^-4) that it accepts. */
  sample: { currency: string; amount: number }
  /**
   * Performs the payer's action after a step, without a browser. `step` is the adapter's result. For an embedded page,
   * the returned `complete` is the data that its script would submit.
   */
  pay(
    step:
      | { kind: 'redirect'; url: string }
      | { kind: 'form'; action: string; fields: [string, string][] }
      | {
          kind: 'page'
          data: Record<string, string>
        },
    action: PayerAction,
  ): Promise<{ complete?: Record<string, string>; back?: SentMessage }>
  /** The provider's webhook message about a reference. */
  webhook(reference: string, falsified?: Falsified): Promise<SentMessage>
  /** Changes the provider's data about a reference. */
  falsify(reference: string, falsified: Pick<Falsified, 'amount' | 'currency'>): void
  /** Completes pending refunds. Absent if refunds complete immediately. */
  endRefunds?(state: 'done' | 'failed'): void
  /**
   * Returns money of a captured reference without our involvement: a refund on the provider's pages, or a chargeback.
   * Amount in 10^-4.
   */
  reverse(reference: string, kind: 'refund' | 'chargeback', amount: number): void
  /** Settles the day's payments, if refunds need it. */
  endDay?(reference: string): void
  /** Ends the dispute about a reference. Absent if the provider does not report disputes. */
  endDispute?(reference: string, outcome: 'lost' | 'won'): void
  /** The webhook message about a refund or chargeback. */
  reversalMessage?(reference: string): SentMessage
  /** The refunded total of a reference, 10^-4. */
  refunded(reference: string): number
  /** Number of captures for a reference: never more than one. */
  captures(reference: string): number
  /** While true, responds 503 to everything. */
  isDown: boolean
  close(): Promise<void>
}
