import type { Exponent } from '../units.ts'

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
