import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  PaymentError,
  type PendingRefund,
  type RefundOrder,
  type RefundResult,
  type Reversal,
  type StartedPayment,
} from '../port.ts'
import { refundPosition, unclearRefund } from '../refund-position.ts'
import { fits, fromNumber, toText } from '../units.ts'
import { type CallMercadopago, errorMessageOf, mercadopagoSites, paymentAt, refusalError } from './api.ts'

const refund = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  status: z.string().optional(),
  amount: z.number().optional(),
})

/** Chargeback states by the `status_detail` of a charged-back payment. */
const chargebackStates: Readonly<Record<string, Reversal['state']>> = {
  settled: 'done',
  reimbursed: 'failed',
}

/** Without this header, a refund in progress is returned as an error. */
const showPending = { 'x-render-in-process-refunds': 'true' }

const done: RefundResult = { state: 'done', providerRefundId: null }
/** A refund requested earlier; its outcome is unclear if there were other refunds too. */
const known = (position: 'done' | 'unclear'): RefundResult =>
  position === 'done' ? done : unclearRefund({ repeated: true }, 'the account')

export function mercadopagoRefunds(ask: CallMercadopago) {
  const path = ({ providerId }: StartedPayment) => {
    if (providerId === null) throw new PaymentError('nothing was captured', { permanent: true })
    return `/v1/payments/${encodeURIComponent(providerId)}/refunds`
  }
  const give = async (payment: StartedPayment, id: string, amount: number): Promise<RefundResult> => {
    const decimals = Object.values(mercadopagoSites).find(
      ({ currency }) => currency === payment.currency,
    )?.decimals
    if (decimals === undefined || !fits(amount, decimals))
      return { state: 'failed', why: 'unsupported amount' }
    const answer = await ask(path(payment), {
      method: 'POST',
      headers: { ...showPending, 'x-idempotency-key': keyOf(id) },
      body: { amount: Number(toText(amount, decimals)) },
    })
    const read = refund.safeParse(answer.json)
    if (answer.status >= 300) return { state: 'failed', why: errorMessageOf(answer) }
    // Accepted with an unknown response: the refund may have been made.
    if (!read.success)
      throw new PaymentError('mercadopago returned an unreadable refund', { permanent: false })
    return answerOf(read.data)
  }
  /**
   * How long an idempotency key is stored is not documented, so a repeated order is compared with the refunded total.
   */
  const position = async (payment: StartedPayment, order: Pick<RefundOrder, 'amount' | 'refundedBefore'>) => {
    const refunded = (await paymentAt(ask, payment.providerId ?? ''))?.transaction_amount_refunded ?? null
    if (refunded === null) return 'to_do'
    return refundPosition({ ...order, repeated: true }, fromNumber(refunded))
  }
  return {
    async refund(payment: StartedPayment, order: RefundOrder): Promise<RefundResult> {
      const outcome = order.repeated ? await position(payment, order) : 'to_do'
      return outcome === 'to_do' ? give(payment, order.id, order.amount) : known(outcome)
    },
    async refundState(payment: StartedPayment, request: PendingRefund): Promise<RefundResult> {
      if (request.providerRefundId === null) {
        const outcome = await position(payment, request)
        // The same key returns the same refund, never a second one.
        return outcome === 'to_do' ? give(payment, request.id, request.amount) : known(outcome)
      }
      const answer = await ask(`${path(payment)}/${encodeURIComponent(request.providerRefundId)}`, {
        headers: showPending,
      })
      const read = refund.safeParse(answer.json)
      if (answer.status !== 200 || !read.success) throw refusalError('the refund', answer)
      return answerOf(read.data)
    },
    /** Returns every refund; a chargeback covers the rest of the payment. */
    async listReversals(payment: StartedPayment): Promise<Reversal[]> {
      const known = await paymentAt(ask, payment.providerId ?? '')
      if (known === null) return []
      const answer = await ask(path(payment), { headers: showPending })
      const listed = z.array(refund).safeParse(answer.json)
      if (answer.status !== 200 || !listed.success) throw refusalError('the refunds', answer)
      const back = listed.data.map((one): Reversal => {
        const { state } = answerOf(one)
        return { id: one.id, kind: 'refund', amount: fromNumber(one.amount ?? 0), order: null, state }
      })
      const refunded = back.reduce((sum, { amount, state }) => sum + (state === 'failed' ? 0 : amount), 0)
      const rest = payment.amount - refunded
      if (known.status !== 'charged_back' || rest <= 0) return back
      const state = chargebackStates[known.status_detail ?? ''] ?? 'pending'
      return [...back, { id: `${known.id}-chargeback`, kind: 'chargeback', amount: rest, order: null, state }]
    },
  }
}

/** Our id as a UUID, the documented format of a key. */
export function keyOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function answerOf({ id, status = 'approved' }: z.infer<typeof refund>): RefundResult {
  if (status === 'approved') return { state: 'done', providerRefundId: id }
  if (status === 'in_process') return { state: 'pending', providerRefundId: id }
  return { state: 'failed', why: status }
}
