import type { ReportedPayment } from '@hansom/domain/payments/payment'
import type { Transaction } from 'braintree'
import braintree from 'braintree'
import { PaymentError } from '../port.ts'
import { type Exponent, fromText } from '../units.ts'
import type { GatewayOptions } from './options.ts'

const timeoutMs = 15_000

/** The vendor's client with the same timeout as other providers. */
export function openGateway(options: GatewayOptions): braintree.BraintreeGateway {
  const { merchantId, publicKey, privateKey } = options
  const environment = environmentOf(options)
  const gateway = new braintree.BraintreeGateway({ environment, merchantId, publicKey, privateKey })
  Object.assign(gateway.config, { timeout: timeoutMs })
  return gateway
}

function environmentOf({ url, environment }: GatewayOptions): braintree.Environment {
  if (url === undefined) {
    return environment === 'live' ? braintree.Environment.Production : braintree.Environment.Sandbox
  }
  const { hostname, port, protocol, origin, host } = new URL(url)
  const isSecure = protocol === 'https:'
  return new braintree.Environment(hostname, port || (isSecure ? '443' : '80'), origin, isSecure, host, port)
}

const lasting = ['authenticationError', 'authorizationError', 'upgradeRequired', 'invalidKeysError']

const nameOf = (cause: unknown): string => (cause instanceof Error ? cause.name : 'unknown')

/** Whether the error means that the object does not exist. */
export const isNotFound = (cause: unknown): boolean => nameOf(cause) === 'notFoundError'

/** A PaymentError with only the error's name: the client's messages may contain personal data. */
export function gatewayError(cause: unknown): PaymentError {
  if (cause instanceof PaymentError) return cause
  const name = nameOf(cause)
  return new PaymentError(`braintree: ${name}`, { permanent: lasting.includes(name), cause: name })
}

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
type BraintreeTransaction = Pick<Transaction, 'id' | 'status' | 'amount' | 'orderId' | 'currencyIsoCode'>

const isCaptured = ({ status }: Pick<Transaction, 'status'>): boolean => takenStatuses.includes(status)

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
