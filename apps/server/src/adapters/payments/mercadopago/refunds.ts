import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  type AskedRefund,
  PaymentError,
  type RefundAnswer,
  type RefundOrder,
  type StartedPayment,
  type TakenBack,
} from '../port.ts'
import { refundPosition, unclearRefund } from '../refund-position.ts'
import { fits, fromNumber, toText } from '../units.ts'
import { type AskMercadopago, refused, wordsOf } from './api.ts'
import { paymentAt } from './payments.ts'
import { mercadopagoSites } from './sites.ts'

const refund = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  status: z.string().optional(),
  amount: z.number().optional(),
})

/** What `status_detail` says of a payment that was charged back. */
const chargebackStates: Readonly<Record<string, TakenBack['state']>> = {
  settled: 'done',
  reimbursed: 'failed',
}

/** Without this header a refund that takes its time is answered as an error. */
const showPending = { 'x-render-in-process-refunds': 'true' }

const done: RefundAnswer = { state: 'done', providerRefundId: null }
/** Both were sent before: what becomes of them cannot be told where other money was given back too. */
const known = (stands: 'done' | 'unclear'): RefundAnswer =>
  stands === 'done' ? done : unclearRefund({ repeated: true }, 'the account')

export function mercadopagoRefunds(ask: AskMercadopago) {
  const path = ({ providerId }: StartedPayment) => {
    if (providerId === null) throw new PaymentError('nothing was captured', { permanent: true })
    return `/v1/payments/${encodeURIComponent(providerId)}/refunds`
  }
  const give = async (payment: StartedPayment, id: string, amount: number): Promise<RefundAnswer> => {
    const decimals = Object.values(mercadopagoSites).find(
      ({ currency }) => currency === payment.currency,
    )?.decimals
    if (decimals === undefined || !fits(amount, decimals)) return { state: 'failed', why: 'no such amount' }
    const answer = await ask(path(payment), {
      method: 'POST',
      headers: { ...showPending, 'x-idempotency-key': keyOf(id) },
      body: { amount: Number(toText(amount, decimals)) },
    })
    const read = refund.safeParse(answer.json)
    if (answer.status >= 300) return { state: 'failed', why: wordsOf(answer) }
    // Taken, in words that nobody knows: it may have been given back.
    if (!read.success) throw new PaymentError('mercadopago answers with no refund', { permanent: false })
    return answerOf(read.data)
  }
  /** How long a key is kept is not documented: what was sent before is held against what has been given back. */
  const position = async (payment: StartedPayment, order: Pick<RefundOrder, 'amount' | 'refundedBefore'>) => {
    const given = (await paymentAt(ask, payment.providerId ?? ''))?.transaction_amount_refunded ?? null
    if (given === null) return 'to_do'
    return refundPosition({ ...order, repeated: true }, fromNumber(given))
  }
  return {
    async refund(payment: StartedPayment, order: RefundOrder): Promise<RefundAnswer> {
      const stands = order.repeated ? await position(payment, order) : 'to_do'
      return stands === 'to_do' ? give(payment, order.id, order.amount) : known(stands)
    },
    async refundState(payment: StartedPayment, asked: AskedRefund): Promise<RefundAnswer> {
      if (asked.providerRefundId === null) {
        const stands = await position(payment, asked)
        // The same key gives the same refund, never a second one.
        return stands === 'to_do' ? give(payment, asked.id, asked.amount) : known(stands)
      }
      const answer = await ask(`${path(payment)}/${encodeURIComponent(asked.providerRefundId)}`, {
        headers: showPending,
      })
      const read = refund.safeParse(answer.json)
      if (answer.status !== 200 || !read.success) throw refused('the refund', answer)
      return answerOf(read.data)
    },
    /** Each refund; what a bank has taken is the rest of the payment. */
    async takenBack(payment: StartedPayment): Promise<TakenBack[]> {
      const known = await paymentAt(ask, payment.providerId ?? '')
      if (known === null) return []
      const answer = await ask(path(payment), { headers: showPending })
      const listed = z.array(refund).safeParse(answer.json)
      if (answer.status !== 200 || !listed.success) throw refused('the refunds', answer)
      const back = listed.data.map((one): TakenBack => {
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

/** Our id as a UUID, which is the form that the vendor documents for a key. */
export function keyOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function answerOf({ id, status = 'approved' }: z.infer<typeof refund>): RefundAnswer {
  if (status === 'approved') return { state: 'done', providerRefundId: id }
  if (status === 'in_process') return { state: 'pending', providerRefundId: id }
  return { state: 'failed', why: status }
}
