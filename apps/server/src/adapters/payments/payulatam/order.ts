import type { ReportedCapture, ReportedPayment } from '@hansom/domain/payments/payment'
import { PaymentError } from '../port.ts'
import { type Exponent, fromNumber } from '../units.ts'
import type { PayuOrder, PayuTransaction } from './service.ts'

const refundTypes = ['REFUND', 'PARTIAL_REFUND']

const stateOf = (transaction: PayuTransaction) => transaction.transactionResponse?.state ?? ''

/** The transaction that captured the money. */
export function captureOf(order: PayuOrder): PayuTransaction | undefined {
  return order.transactions?.find(
    (one) => stateOf(one) === 'APPROVED' && !refundTypes.includes(one.type ?? ''),
  )
}

/** Refunds of an order, completed or pending, newest last. */
export function refundsOf(order: PayuOrder): { id: string; state: string; amount: number }[] {
  return (order.transactions ?? [])
    .filter((one) => refundTypes.includes(one.type ?? ''))
    .map((one) => ({ id: one.id, state: stateOf(one), amount: valueOf(order, one).amount }))
}

/** The paid order, if any. */
export function paidOrder(orders: readonly PayuOrder[]): PayuOrder | undefined {
  return orders.find(({ status }) => status === 'CAPTURED' || status === 'REFUNDED')
}

/**
 * Maps PayU's orders to a payment state. Order states: NEW, IN_PROGRESS, AUTHORIZED, CAPTURED, CANCELLED, DECLINED,
 * REFUNDED.
 */
export function foundIn(orders: readonly PayuOrder[], live: boolean): ReportedPayment {
  const order = paidOrder(orders)
  const capture = order && captureOf(order)
  if (order && capture) {
    const found: ReportedCapture = {
      reference: order.referenceCode,
      providerId: capture.id,
      ...valueOf(order, capture),
      live: live && order.isTest !== true,
    }
    return { state: order.status === 'REFUNDED' ? 'refunded' : 'paid', ...found }
  }
  const isOver = orders.length > 0 && orders.every(({ status }) => ['DECLINED', 'CANCELLED'].includes(status))
  return { state: isOver ? 'failed' : 'pending' }
}

function valueOf(order: PayuOrder, transaction: PayuTransaction): { amount: number; currency: string } {
  const value = transaction.additionalValues?.TX_VALUE ?? order.additionalValues?.TX_VALUE
  if (!value) throw new PaymentError('payulatam returned no amount', { permanent: false })
  return { amount: fromNumber(value.value), currency: value.currency }
}

const payuCountries = ['AR', 'BR', 'CL', 'CO', 'MX', 'PA', 'PE'] as const
export type PayuCountry = (typeof payuCountries)[number]

/** The country whose account accepts a currency, and its decimals. Source: PayU Latam documentation. */
export const payuCurrencies: Readonly<Record<string, { country: PayuCountry; decimals: Exponent }>> = {
  ARS: { country: 'AR', decimals: 2 },
  BRL: { country: 'BR', decimals: 2 },
  CLP: { country: 'CL', decimals: 0 },
  COP: { country: 'CO', decimals: 2 },
  MXN: { country: 'MX', decimals: 2 },
  PEN: { country: 'PE', decimals: 2 },
  USD: { country: 'PA', decimals: 2 },
}
