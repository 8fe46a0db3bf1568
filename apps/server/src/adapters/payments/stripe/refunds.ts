import Stripe from 'stripe'
import {
  PaymentError,
  type RefundOrder,
  type RefundResult,
  type Reversal,
  type StartedPayment,
} from '../port.ts'
import { fromStripeUnits, stripeUnits } from './currencies.ts'

/** Refunds of captured payments, identified by our id in their metadata. */
export function stripeRefunds(client: Stripe) {
  const earlier = async (intent: string, id: string): Promise<Stripe.Refund | undefined> => {
    const { data } = await callStripe(() => client.refunds.list({ payment_intent: intent, limit: 100 }))
    return data.find((refund) => refund.metadata?.refund === id)
  }
  return {
    async refund(payment: StartedPayment, order: RefundOrder): Promise<RefundResult> {
      const intent = intentOf(payment)
      // Stripe stores idempotency keys for only a day.
      const known = order.repeated ? await earlier(intent, order.id) : undefined
      if (known) return answerOf(known)
      try {
        return answerOf(
          await client.refunds.create(
            {
              payment_intent: intent,
              amount: stripeUnits(payment.currency, order.amount),
              reason: 'requested_by_customer',
              metadata: { refund: order.id, why: order.reason.slice(0, 500) },
            },
            { idempotencyKey: `refund-${order.id}` },
          ),
        )
      } catch (error) {
        if (error instanceof RangeError || isRefusal(error)) return { state: 'failed', why: error.message }
        return callStripe(() => Promise.reject(error as Error))
      }
    },
    async refundState(
      payment: StartedPayment,
      { id, providerRefundId }: { id: string; providerRefundId: string | null },
    ): Promise<RefundResult> {
      const refund =
        providerRefundId === null
          ? await earlier(intentOf(payment), id)
          : await callStripe(() => client.refunds.retrieve(providerRefundId))
      return refund ? answerOf(refund) : { state: 'failed', why: 'unknown refund' }
    },
    /** Returns refunds made by us and in the dashboard, and chargebacks. */
    async listReversals(payment: StartedPayment): Promise<Reversal[]> {
      const { currency } = payment
      const which = { payment_intent: intentOf(payment), limit: 100 }
      const { data: refunds } = await callStripe(() => client.refunds.list(which))
      const { data: disputes } = await callStripe(() => client.disputes.list(which))
      return [
        ...refunds.map((refund): Reversal => {
          const { id, amount, metadata } = refund
          const order = metadata?.refund ?? null
          const { state } = answerOf(refund)
          return { id, kind: 'refund', amount: fromStripeUnits(currency, amount), order, state }
        }),
        ...disputes.flatMap((dispute): Reversal[] => {
          const { id, amount, status } = dispute
          const state = disputeState(status)
          if (state === null) return []
          const fee = feeOf(dispute, currency)
          const known = fee === null ? {} : { fee: fromStripeUnits(currency, fee) }
          const taken = fromStripeUnits(currency, amount)
          return [{ id, kind: 'chargeback', amount: taken, order: null, state, ...known }]
        }),
      ]
    },
  }
}

function intentOf({ providerId }: StartedPayment): string {
  if (providerId === null) throw new PaymentError('nothing was captured', { permanent: true })
  return providerId
}

function answerOf({ id, status, failure_reason }: Stripe.Refund): RefundResult {
  if (status === 'succeeded') return { state: 'done', providerRefundId: id }
  if (status === 'failed' || status === 'canceled') return { state: 'failed', why: failure_reason ?? status }
  return { state: 'pending', providerRefundId: id }
}

/** Stripe's fee for a dispute; null if charged in a currency other than the payment's. */
function feeOf({ balance_transactions }: Stripe.Dispute, currency: string): number | null {
  const moved = balance_transactions ?? []
  if (moved.some((one) => one.currency.toUpperCase() !== currency)) return null
  return Math.max(
    0,
    moved.reduce((sum, { fee }) => sum + fee, 0),
  )
}

/** Null for an inquiry or a prevented dispute: no money has moved. */
function disputeState(status: string): Reversal['state'] | null {
  if (status === 'prevented' || status.startsWith('warning_')) return null
  if (status === 'lost') return 'done'
  return status === 'won' ? 'failed' : 'pending'
}

/** Runs a call of the library. Throws PaymentError with the status and Stripe's error code, without its message. */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toPaymentError(error)
  }
}

function toPaymentError(error: unknown): PaymentError {
  if (!(error instanceof Stripe.errors.StripeError) || error.statusCode === undefined) {
    return new PaymentError('stripe did not respond', { permanent: false })
  }
  const { statusCode, code, type } = error
  // 409: a request with the same key is still in progress.
  const temporary = statusCode >= 500 || statusCode === 429 || statusCode === 409
  return new PaymentError(`stripe returned ${statusCode} ${code ?? type}`, { permanent: !temporary })
}

/** Whether Stripe rejected the request itself. */
function isRefusal(error: unknown): error is InstanceType<typeof Stripe.errors.StripeInvalidRequestError> {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400
}
