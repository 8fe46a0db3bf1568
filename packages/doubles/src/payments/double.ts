/** What a payer does at the provider, or what the provider itself does later. */
export type PayerAction = 'approve' | 'decline' | 'leave'

/** A request that the provider would send to us, or that it would make a browser carry back. */
export interface SentMessage {
  method: 'GET' | 'POST'
  /** Address with its query, as we gave it to the provider with what it adds. */
  url: string
  headers: Record<string, string>
  body: string
}

/** How a message or the provider's books are falsified. Amounts in 10^-4 of the currency unit. */
export interface Falsified {
  amount?: number
  currency?: string
  /** Signed with another secret. */
  forged?: boolean
  /** As if it had been sent so many ms ago, where the provider signs a time. */
  agedMs?: number
}

/**
 * A payment provider on this machine: its interface as documented (refusing what the real one refuses: wrong keys, wrong
 * signatures, references used before), its pages for a browser, and what a test makes it do.
 */
export interface ProviderDouble {
  /** The variables that point the server at it. */
  environment: Record<string, string>
  /** A currency and an amount (10^-4) that it takes. */
  sample: { currency: string; amount: number }
  /**
   * Does at the provider, without a browser, what a payer does after the step was taken. `step` is what the adapter
   * answered. For an embedded page the result's `complete` is what its script would hand over.
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
  /** The message about a reference, as the provider sends it to the webhook address. */
  webhook(reference: string, falsified?: Falsified): Promise<SentMessage>
  /** Makes the provider's own books say something else of a reference. */
  falsify(reference: string, falsified: Pick<Falsified, 'amount' | 'currency'>): void
  /** Ends pending refunds: done or failed. Absent where refunds end at once. */
  endRefunds?(state: 'done' | 'failed'): void
  /**
   * Money of a captured reference goes back without us: a refund in the provider's own pages, or a payer's bank that demands
   * it. Amount in 10^-4.
   */
  goBack(reference: string, kind: 'refund' | 'chargeback', amount: number): void
  /** The day's settlement, where refunds need it. */
  endDay?(reference: string): void
  /** How the dispute about a reference ends: lost, or won by us. Absent where nobody is told. */
  endDispute?(reference: string, outcome: 'lost' | 'won'): void
  /** The message that tells of money that went back. */
  backMessage?(reference: string): SentMessage
  /** What has been refunded of a reference so far, 10^-4. */
  refunded(reference: string): number
  /** How often money was taken for a reference: never more than once. */
  captures(reference: string): number
  /** While true, answers 503 to everything. */
  down: boolean
  close(): Promise<void>
}
