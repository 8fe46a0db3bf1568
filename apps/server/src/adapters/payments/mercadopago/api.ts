import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import { callProvider, type ProviderRequest, type ProviderResponse } from '../http.ts'
import { PaymentError } from '../port.ts'
import { type Exponent, fromNumber } from '../units.ts'

const problem = z.object({ message: z.string().optional(), error: z.string().optional() })

/** Calls Mercado Pago's API. 4xx responses are returned, except 401 and 403, which throw PaymentError. */
export type CallMercadopago = (path: string, question?: ProviderRequest) => Promise<ProviderResponse>

export function mercadopagoApi({ url, accessToken }: { url: string; accessToken: string }): CallMercadopago {
  return async (path, question = {}) => {
    const answer = await callProvider(`${url}${path}`, {
      ...question,
      headers: { ...question.headers, authorization: `Bearer ${accessToken}` },
    })
    if (answer.status === 401 || answer.status === 403) throw refusalError('the account', answer)
    return answer
  }
}

/** The vendor's error message. */
export function errorMessageOf({ json, status }: ProviderResponse): string {
  const read = problem.safeParse(json)
  return (read.success && (read.data.message ?? read.data.error)) || `status ${status}`
}

export function refusalError(what: string, { status }: ProviderResponse): PaymentError {
  return new PaymentError(`mercadopago refused ${what}: ${status}`, { permanent: true })
}

/** The countries of Mercado Pago; an account belongs to one and has its currency. */
export const mercadopagoSites = {
  MLA: { currency: 'ARS', decimals: 2, host: 'mercadopago.com.ar' },
  MLB: { currency: 'BRL', decimals: 2, host: 'mercadopago.com.br' },
  MLM: { currency: 'MXN', decimals: 2, host: 'mercadopago.com.mx' },
  MLC: { currency: 'CLP', decimals: 0, host: 'mercadopago.cl' },
  MCO: { currency: 'COP', decimals: 2, host: 'mercadopago.com.co' },
  MPE: { currency: 'PEN', decimals: 2, host: 'mercadopago.com.pe' },
  MLU: { currency: 'UYU', decimals: 2, host: 'mercadopago.com.uy' },
} as const satisfies Record<string, { currency: string; decimals: Exponent; host: string }>

export type MercadopagoSite = keyof typeof mercadopagoSites

const amount = z.number().refine((value) => /^\d{1,11}(\.\d{1,4})?$/.test(String(value)))

/** The fields of a payment that we read (schema Payment of mercadopago/openapi). */
const payment = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  status: z.string(),
  status_detail: z.string().nullish(),
  external_reference: z.string().nullish(),
  transaction_amount: amount,
  transaction_amount_refunded: amount.nullish(),
  currency_id: z.string(),
  live_mode: z.boolean().optional(),
})

type MercadopagoPayment = z.infer<typeof payment>

/** The payment with this id; null if the account has none. Throws PaymentError. */
export async function paymentAt(ask: CallMercadopago, id: string): Promise<MercadopagoPayment | null> {
  if (!/^\d{1,20}$/.test(id)) return null
  const answer = await ask(`/v1/payments/${id}`)
  if (answer.status === 404) return null
  if (answer.status !== 200) throw refusalError('the payment', answer)
  return read(payment, answer.json)
}

/** All payment attempts for a reference: a checkout allows several. Throws PaymentError. */
export async function paymentsOf(ask: CallMercadopago, reference: string): Promise<MercadopagoPayment[]> {
  const query = new URLSearchParams({ sort: 'date_created', criteria: 'desc', external_reference: reference })
  const answer = await ask(`/v1/payments/search?${query.toString()}`)
  if (answer.status !== 200) throw refusalError('the search', answer)
  return read(z.object({ results: z.array(payment) }), answer.json).results
}

function read<T>(schema: z.ZodType<T>, json: unknown): T {
  const parsed = schema.safeParse(json)
  if (!parsed.success)
    throw new PaymentError('mercadopago returned an unreadable payment', { permanent: false })
  return parsed.data
}

/** Statuses by precedence: paid, then refunded, then undecided. */
const order = ['approved', 'refunded', 'charged_back', 'authorized', 'in_mediation', 'in_process', 'pending']

/** The combined state of several attempts; null if there is none, or all have failed. */
export function foundAmong(tries: MercadopagoPayment[], live: boolean): ReportedPayment | null {
  const ranked = tries.filter(({ status }) => order.includes(status))
  const [best] = ranked.sort((one, other) => order.indexOf(one.status) - order.indexOf(other.status))
  if (!best) return null
  const { status } = best
  if (status !== 'approved' && status !== 'refunded' && status !== 'charged_back') return { state: 'pending' }
  return {
    state: status === 'approved' ? 'paid' : 'refunded',
    reference: best.external_reference ?? '',
    providerId: best.id,
    amount: fromNumber(best.transaction_amount),
    currency: best.currency_id,
    // Older responses omit it: the token then decides.
    live: best.live_mode ?? live,
  }
}
