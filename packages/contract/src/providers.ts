import { z } from 'zod'
import { base } from './base.ts'

/** Outside services that can be tried by a message to whoever asks. */
export const triedProviders = ['mail', 'sms'] as const

export const provider = z.object({
  name: z.enum(['mail', 'sms', 'storage', 'facebook', 'apple', 'licence']),
  /** False: nobody outside is asked; messages and files stay here, social sign-in is not offered. */
  configured: z.boolean(),
})
export type Provider = z.infer<typeof provider>

/** What came of a try. */
export const providerTry = z.object({
  /** `sent`: the service took it. `kept`: there is no service, so it was kept. `failed`: see `detail`. */
  outcome: z.enum(['sent', 'kept', 'failed']),
  /** The address or number it went to. */
  to: z.string(),
  /** What the service said, in English; empty unless it failed. */
  detail: z.string(),
})
export type ProviderTry = z.infer<typeof providerTry>

export const providersContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/providers', tags: ['providers'] })
    .output(z.array(provider)),
  /** Sends a message to the admin's own address or number. Refused with mobile_no_blank_error where there is none. */
  test: base
    .route({ method: 'POST', path: '/api/v1/providers/{name}/test', tags: ['providers'] })
    .input(z.object({ name: z.enum(triedProviders) }))
    .output(providerTry),
}
