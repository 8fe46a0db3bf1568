import { z } from 'zod'

/** The variables of one payment provider: all with its prefix. Their values are never printed. */
export interface ProviderVariables<Options> {
  prefix: string
  /** Required if any of the provider's variables is set. */
  required: readonly string[]
  /** Parses the provider's variables; rejects unknown ones. */
  schema: z.ZodType<Options>
}

export const loopbackHosts = ['127.0.0.1', 'localhost', '::1']
export const isLoopbackUrl = (url: string) =>
  loopbackHosts.includes(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'))

/** A provider's API URL: https, or a double on this machine. No trailing slash. */
export const providerUrl = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false
    const { protocol } = new URL(text)
    return protocol === 'https:' || (protocol === 'http:' && isLoopbackUrl(text))
  }, 'must be an https URL')
  .transform((text) => text.replace(/\/$/, ''))

/** The provider's environment. */
export const sandboxOrLive = z.enum(['sandbox', 'live'], 'must be sandbox or live')

/** The account's currencies, such as `NGN, USD`. */
export const currencyList = z
  .string()
  .transform((text) => text.split(',').map((code) => code.trim().toUpperCase()))
  .refine((codes) => codes.every((code) => /^[A-Z]{3}$/.test(code)), 'must be codes such as NGN,USD')
