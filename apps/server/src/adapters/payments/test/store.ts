import type { Amount } from '@hansom/domain/money/amount'

/** The payer's decision about a payment, `open` before any. */
export type TestPaymentState = 'open' | 'pending' | 'paid' | 'failed'

export interface TestPayment {
  reference: string
  amount: Amount
  currency: string
  state: TestPaymentState
  /** The total refunded amount. */
  refunded: Amount
}

/** The test provider's storage. */
export interface TestPaymentStore {
  read(reference: string): Promise<TestPayment | null>
  /** Creates an undecided payment; does nothing if it exists. */
  open(payment: Pick<TestPayment, 'reference' | 'amount' | 'currency'>): Promise<void>
  /** Stores a decision. A paid payment stays paid. */
  decide(reference: string, state: TestPaymentState): Promise<void>
  /** Refunds once per id and never more than was paid; returns false in that case. */
  refund(reference: string, id: string, amount: Amount): Promise<boolean>
}
