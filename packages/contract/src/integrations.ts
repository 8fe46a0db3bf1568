import { z } from 'zod'
import { base } from './base.ts'

/** Outside services that can be tested with a message to the admin. */
export const testableIntegrations = ['mail', 'sms'] as const

export const integration = z.object({
  name: z.enum(['mail', 'sms', 'storage', 'facebook', 'apple', 'licence']),
  /**
   * False: no outside service is called; messages and files are stored on this server, social sign-in is not offered.
   */
  configured: z.boolean(),
})
export type Integration = z.infer<typeof integration>

/** Result of a test. */
export const integrationTest = z.object({
  /**
   * `sent`: the service accepted it. `kept`: no service is configured, so it was stored here. `failed`: see `detail`.
   */
  outcome: z.enum(['sent', 'kept', 'failed']),
  /** The email address or number it was sent to. */
  to: z.string(),
  /** The service's response, in English; empty unless it failed. */
  detail: z.string(),
})
export type IntegrationTest = z.infer<typeof integrationTest>

export const integrationsContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/providers', tags: ['integrations'] })
    .output(z.array(integration)),
  /** Sends a message to the admin's own email address or number. Throws mobile_no_blank_error if the admin has none. */
  test: base
    .route({ method: 'POST', path: '/api/v1/providers/{name}/test', tags: ['integrations'] })
    .input(z.object({ name: z.enum(testableIntegrations) }))
    .output(integrationTest),
}
