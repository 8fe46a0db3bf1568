import { z } from 'zod'
import { callProvider } from '../http.ts'
import { PaymentError } from '../port.ts'
import { apiSignature } from './signature.ts'

export interface PayfastRest {
  url: string
  merchantId: string
  passphrase: string
  live: boolean
  now: () => number
}

const envelope = z.object({
  data: z.object({ response: z.unknown(), message: z.unknown() }).partial().optional(),
})

/** The content of a response, or the error message of a refused request. */
export type RestResult = { content: unknown } | { refused: string }

/** Sends one request to the REST API. Throws PaymentError like `callProvider`, and if the response is not JSON. */
export async function callRest(
  rest: PayfastRest,
  path: string,
  body?: Readonly<Record<string, string | number>>,
): Promise<RestResult> {
  const headers = {
    'merchant-id': rest.merchantId,
    version: 'v1',
    timestamp: timestampAt(rest.now()),
  }
  const sent = Object.fromEntries(Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]))
  const signature = apiSignature({ ...headers, ...sent }, rest.passphrase)
  const { status, json } = await callProvider(`${rest.url}${path}${rest.live ? '' : '?testing=true'}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, signature },
    ...(body ? { body } : {}),
  })
  if (json === undefined)
    throw new PaymentError(`unreadable response from payfast: ${status}`, { permanent: false })
  const data = envelope.safeParse(json).data?.data
  // The documentation shows refund responses with and without an envelope.
  if (status === 200) return { content: data?.response ?? json }
  return { refused: typeof data?.message === 'string' ? data.message.slice(0, 200) : `returned ${status}` }
}

/** South African time, as in the documentation's examples. */
function timestampAt(at: number): string {
  return `${new Date(at + 2 * 3_600_000).toISOString().slice(0, 19)}+02:00`
}

const transaction = z.object({
  m_payment_id: z.coerce.string(),
  status: z.string(),
  /** Cents. */
  amount: z.coerce.number().int(),
})

/** A card payment by its Payfast id. */
export async function queryTransaction(rest: PayfastRest, id: string): Promise<z.infer<typeof transaction>> {
  const answer = await callRest(rest, `/process/query/${encodeURIComponent(id)}`)
  if ('refused' in answer) throw new PaymentError(`payfast: ${answer.refused}`, { permanent: false })
  const read = transaction.safeParse(answer.content)
  if (!read.success) throw new PaymentError('unreadable response from payfast', { permanent: false })
  return read.data
}

const refundable = z.object({
  status: z.string(),
  /** Cents. */
  amount_original: z.coerce.number().int(),
  amount_available_for_refund: z.coerce.number().int(),
  errors: z.array(z.string()).optional(),
  refund_full: z.object({ method: z.string() }).optional(),
  refund_partial: z.object({ method: z.string() }).optional(),
})
export type Refundable = z.infer<typeof refundable>

/** The refundable amount of a payment and the refund methods. */
export async function queryRefund(rest: PayfastRest, id: string): Promise<Refundable | { refused: string }> {
  const answer = await callRest(rest, `/refunds/query/${encodeURIComponent(id)}`)
  if ('refused' in answer) return answer
  const read = refundable.safeParse(answer.content)
  if (!read.success) throw new PaymentError('unreadable response from payfast', { permanent: false })
  return read.data
}
