import { z } from 'zod'
import { base } from './base.ts'

/** Outside services that can be tried by a message to whoever asks. */
export const testableIntegrations = ['mail', 'sms'] as const

export const integration = z.object({
  name: z.enum(['mail', 'sms', 'storage', 'facebook', 'apple', 'licence']),
  /** False: nobody outside is asked; messages and files stay here, social sign-in is not offered. */
  configured: z.boolean(),
})
export type Integration = z.infer<typeof integration>

/** What came of a try. */
export const integrationTest = z.object({
  /** `sent`: the service took it. `kept`: there is no service, so it was kept. `failed`: see `detail`. */
  outcome: z.enum(['sent', 'kept', 'failed']),
  /** The address or number it went to. */
  to: z.string(),
  /** What the service said, in English; empty unless it failed. */
  detail: z.string(),
})
export type IntegrationTest = z.infer<typeof integrationTest>

export const integrationsContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/providers', tags: ['integrations'] })
    .output(z.array(integration)),
  /** Sends a message to the admin's own address or number. Refused with mobile_no_blank_error where there is none. */
  test: base
    .route({ method: 'POST', path: '/api/v1/providers/{name}/test', tags: ['integrations'] })
    .input(z.object({ name: z.enum(testableIntegrations) }))
    .output(integrationTest),
}
