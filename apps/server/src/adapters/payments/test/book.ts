import type { Amount } from '@hansom/domain/money/amount'

/** What was decided about a payment: nothing yet, or one of what payers can press. */
export type TestPaymentState = 'open' | 'pending' | 'paid' | 'failed'

export interface TestPayment {
  reference: string
  amount: Amount
  currency: string
  state: TestPaymentState
  /** What has gone back in all. */
  refunded: Amount
}

/** Where the test provider keeps what it knows. */
export interface TestPaymentBook {
  read(reference: string): Promise<TestPayment | null>
  /** Notes a payment that nobody has decided; one that is there stays as it is. */
  open(payment: Pick<TestPayment, 'reference' | 'amount' | 'currency'>): Promise<void>
  /** Keeps a decision. What is paid stays paid. */
  decide(reference: string, state: TestPaymentState): Promise<void>
  /** Gives back, once for an id and never more than was paid: false then. */
  refund(reference: string, id: string, amount: Amount): Promise<boolean>
}
