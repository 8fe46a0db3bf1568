import { z } from 'zod'
import { askProvider, type ProviderAnswer, type Question } from '../ask.ts'
import { PaymentError } from '../port.ts'

const problem = z.object({ message: z.string().optional(), error: z.string().optional() })

/** Calls Mercado Pago's API. 4xx responses are returned, except 401 and 403, which throw PaymentError. */
export type AskMercadopago = (path: string, question?: Question) => Promise<ProviderAnswer>

export function mercadopagoApi({ url, accessToken }: { url: string; accessToken: string }): AskMercadopago {
  return async (path, question = {}) => {
    const answer = await askProvider(`${url}${path}`, {
      ...question,
      headers: { ...question.headers, authorization: `Bearer ${accessToken}` },
    })
    if (answer.status === 401 || answer.status === 403) throw refused('the account', answer)
    return answer
  }
}

/** The vendor's error message. */
export function wordsOf({ json, status }: ProviderAnswer): string {
  const read = problem.safeParse(json)
  return (read.success && (read.data.message ?? read.data.error)) || `status ${status}`
}

export function refused(what: string, { status }: ProviderAnswer): PaymentError {
  return new PaymentError(`mercadopago refused ${what}: ${status}`, { permanent: true })
}
