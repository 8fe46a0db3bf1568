import { mapCallKinds, mapFailures, placeServices, routeServices } from '@hansom/domain/geo/map-services'
import { z } from 'zod'
import { base } from './base.ts'

/** Outside services that can be tested: by a message to the admin, or by checking the numbers of masked calls. */
export const testableIntegrations = ['mail', 'sms', 'push', 'voice'] as const

export const integration = z.object({
  name: z.enum(['mail', 'sms', 'push', 'voice', 'storage', 'facebook', 'apple', 'licence']),
  /**
   * False: no outside service is called; messages and files are stored on this server, social sign-in is not offered.
   */
  configured: z.boolean(),
})
export type Integration = z.infer<typeof integration>

/** Result of a test. */
export const integrationTest = z.object({
  /**
   * `sent`: the service accepted it. `kept`: no service is configured, so it was stored here. `checked`: every number
   * of masked calls is set up. `failed`: see `detail`.
   */
  outcome: z.enum(['sent', 'kept', 'checked', 'failed']),
  /** The email address or number it was sent to; of a push message, the platform or the push service; empty for calls. */
  to: z.string(),
  /** The service's response, in English; empty unless it failed. */
  detail: z.string(),
})
export type IntegrationTest = z.infer<typeof integrationTest>

const breaker = z.enum(['closed', 'half_open', 'open'])
const count = z.int().min(0)

/** Who answers what: null is the embedded map, which also draws the map. Money in millionths of a US dollar. */
export const mapServicesView = z.object({
  places: z.object({ service: z.enum(placeServices), breaker }).nullable(),
  routes: z.object({ service: z.enum(routeServices), breaker }).nullable(),
  /** What this server's own maps contain. */
  regions: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** ISO 3166-1 alpha-2. */
      countryCode: z.string(),
      timezone: z.string(),
      /** ISO 4217. */
      currency: z.string(),
      /** ISO 639-1 codes. */
      languages: z.array(z.string()),
      /** The extract's file name; null for the packaged map. */
      extract: z.string().nullable(),
      streets: count,
      houseNumbers: count,
      places: count,
    }),
  ),
  /** The region's day that is counted, YYYY-MM-DD; empty without outside services. */
  day: z.string(),
  calls: z.array(
    z.object({
      service: z.enum([...placeServices, ...routeServices]),
      kind: z.enum(mapCallKinds),
      calls: count,
      failures: count,
      microUsd: count,
    }),
  ),
  total: z.object({ calls: count, microUsd: count }),
  /** Null: no cap. */
  cap: z.object({ calls: count.nullable(), microUsd: count.nullable() }),
})
export type MapServicesView = z.infer<typeof mapServicesView>

/** Services that can be tested. */
export const mapRoles = ['places', 'routes'] as const

/** Result of one real call. */
export const mapServiceTest = z.object({
  kind: z.enum(mapCallKinds),
  ms: count,
  /** Null if the service answered. */
  failure: z.enum(mapFailures).nullable(),
  /** The place it found; null if none. */
  found: z.string().nullable(),
  /** The route it found; null if none. */
  drive: z.object({ distanceKm: z.number(), durationS: z.number() }).nullable(),
})
export type MapServiceTest = z.infer<typeof mapServiceTest>

/** The messages of today (UTC) of a channel, and their limit. */
export const messageUsage = z.object({
  channel: z.enum(['mails', 'texts']),
  sent: count,
  /** Not sent because of a limit: of the installation, or of one person. */
  dropped: count,
  limit: count,
})
export type MessageUsage = z.infer<typeof messageUsage>

export const integrationsContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/providers', tags: ['integrations'] })
    .output(z.array(integration)),
  /**
   * Sends a message to the admin's own email address, number or newest device. Throws mobile_no_blank_error if the admin
   * has no address or number, no_user_match without a device, and not_found for calls that are not configured.
   */
  test: base
    .route({ method: 'POST', path: '/api/v1/providers/{name}/test', tags: ['integrations'] })
    .input(z.object({ name: z.enum(testableIntegrations) }))
    .output(integrationTest),
  messages: base
    .route({ method: 'GET', path: '/api/v1/message-usage', tags: ['integrations'] })
    .output(z.array(messageUsage)),
  maps: base
    .route({ method: 'GET', path: '/api/v1/map-services', tags: ['integrations'] })
    .output(mapServicesView),
  /** Makes one real call of each kind. Throws not_found if the embedded map answers. */
  testMaps: base
    .route({ method: 'POST', path: '/api/v1/map-services/{role}/test', tags: ['integrations'] })
    .input(z.object({ role: z.enum(mapRoles) }))
    .output(z.array(mapServiceTest)),
}
