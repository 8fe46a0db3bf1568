import type { Amount } from '@hansom/domain/money/amount'
import { PaymentError, type RefundOrder, type RefundResult } from './port.ts'

/**
 * The state of a refund order at a provider without idempotency keys, from the refunded total it reports (10^-4; null
 * if it reports none). `unclear`: sending the order again might refund twice, so a manual check is needed.
 */
export function refundPosition(
  order: Pick<RefundOrder, 'amount' | 'refundedBefore' | 'repeated'>,
  refunded: Amount | null,
): 'to_do' | 'done' | 'unclear' {
  if (refunded === null) return order.repeated ? 'unclear' : 'to_do'
  if (refunded === order.refundedBefore) return 'to_do'
  return order.repeated && refunded === order.refundedBefore + order.amount ? 'done' : 'unclear'
}

/**
 * The result for an order in an unclear position; `where` names the place to check. An order that was never sent has
 * failed. One that may have been executed must not fail, because its amount could be refunded again: it throws a
 * permanent PaymentError.
 */
export function unclearRefund({ repeated }: Pick<RefundOrder, 'repeated'>, where: string): RefundResult {
  if (!repeated) return { state: 'failed', why: `other refunds exist: check ${where}` }
  throw new PaymentError(`may have been refunded already: check ${where}`, { permanent: true })
}
