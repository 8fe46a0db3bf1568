import { z } from 'zod'
import { callProvider, type ProviderRequest, type ProviderResponse } from '../http.ts'
import { PaymentError } from '../port.ts'
import type { Exponent } from '../units.ts'

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
