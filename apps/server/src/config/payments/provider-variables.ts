import { z } from 'zod'

/** The variables of one payment provider: all that begin with its prefix. Their values are never shown. */
export interface ProviderVariables<Options> {
  prefix: string
  /** Without these, when any is set, the configuration is refused. */
  needed: readonly string[]
  /** Reads the set variables, names included; refuses what it does not know. */
  schema: z.ZodType<Options>
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]']

/** The address of a provider's interface: https, or a double on this machine. No slash at the end. */
export const providerUrl = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false
    const { protocol, hostname } = new URL(text)
    return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname))
  }, 'must be an https address')
  .transform((text) => text.replace(/\/$/, ''))

/** Which of a provider's two worlds. */
export const sandboxOrLive = z.enum(['sandbox', 'live'], 'must be sandbox or live')
