import type { Amount } from '@hansom/domain/money/amount'
import { PaymentError, type RefundAnswer, type RefundOrder } from './port.ts'

/**
 * Where a refund stands at a provider that knows no idempotency key, by what it says it has given back in all (10^-4; null
 * when it does not say). `unclear`: giving the order again might give the money twice, so a person has to look.
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
 * The answer to an order whose position is unclear; `where` names the place to look at. One that was never given has failed.
 * One that may have been given has not: taken back it would pay twice, so it throws a permanent PaymentError.
 */
export function unclearRefund({ repeated }: Pick<RefundOrder, 'repeated'>, where: string): RefundAnswer {
  if (!repeated) return { state: 'failed', why: `other money was given back too: look at ${where}` }
  throw new PaymentError(`may have been given back before: look at ${where}`, { permanent: true })
}
