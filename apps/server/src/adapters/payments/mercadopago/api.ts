import { z } from 'zod'
import { callProvider, type ProviderRequest, type ProviderResponse } from '../http.ts'
import { PaymentError } from '../port.ts'

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
