import { z } from 'zod'

/** The account's currencies, such as `NGN, USD`. */
export const currencyList = z
  .string()
  .transform((text) => text.split(',').map((code) => code.trim().toUpperCase()))
  .refine((codes) => codes.every((code) => /^[A-Z]{3}$/.test(code)), 'must be codes such as NGN,USD')
