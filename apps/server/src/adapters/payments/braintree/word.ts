import type { FoundPayment } from '@hansom/domain/payments/payment'
import type { Transaction } from 'braintree'
import { type Exponent, fromText } from '../units.ts'

/** How many decimals: two but for these. */
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

/** What we read of a transaction: a part of what the vendor's client hands out. */
export type BraintreeWord = Pick<Transaction, 'id' | 'status' | 'amount' | 'orderId' | 'currencyIsoCode'>

export const isTaken = ({ status }: Pick<Transaction, 'status'>): boolean => takenStatuses.includes(status)

/** Our reading of a transaction: authorised alone is not paid, nothing was captured yet. */
export function foundBy(word: BraintreeWord, live: boolean): FoundPayment {
  if (openStatuses.includes(word.status)) return { state: 'pending' }
  if (!isTaken(word)) return { state: 'failed' }
  return {
    state: 'paid',
    reference: word.orderId ?? '',
    providerId: word.id,
    amount: fromText(word.amount),
    currency: word.currencyIsoCode,
    live,
  }
}
