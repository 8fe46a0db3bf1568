import type { ReportedPayment } from '@hansom/domain/payments/payment'
import type { Transaction } from 'braintree'
import { type Exponent, fromText } from '../units.ts'

/** Currencies without decimals; all others have two. */
const wholeCurrencies = [
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'JPY',
  'KMF',
  'KRW',
  'PYG',
  'RWF',
  'UGX',
  'VND',
  'XAF',
  'XOF',
]
export const exponentOf = (currency: string): Exponent => (wholeCurrencies.includes(currency) ? 0 : 2)

const takenStatuses = [
  'submitted_for_settlement',
  'settlement_pending',
  'settlement_confirmed',
  'settling',
  'settled',
]
const openStatuses = ['authorizing', 'authorized']

/** The fields of a transaction that we read, a subset of the vendor client's type. */
export type BraintreeTransaction = Pick<
  Transaction,
  'id' | 'status' | 'amount' | 'orderId' | 'currencyIsoCode'
>

export const isCaptured = ({ status }: Pick<Transaction, 'status'>): boolean => takenStatuses.includes(status)

/** Maps a transaction to a payment state: authorized is not paid, because nothing has been captured yet. */
export function foundBy(transaction: BraintreeTransaction, live: boolean): ReportedPayment {
  if (openStatuses.includes(transaction.status)) return { state: 'pending' }
  if (!isCaptured(transaction)) return { state: 'failed' }
  return {
    state: 'paid',
    reference: transaction.orderId ?? '',
    providerId: transaction.id,
    amount: fromText(transaction.amount),
    currency: transaction.currencyIsoCode,
    live,
  }
}
