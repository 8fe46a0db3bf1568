import { paymentProviders } from '@hansom/domain/payments/providers'
import { z } from 'zod'
import { registration } from './accounts.ts'
import { base } from './base.ts'
import { placeId } from './places.ts'
import { id, longText, shortText } from './shapes.ts'

/** "lat,lng" in decimal degrees. */
const latLngText = z
  .string()
  .max(60)
  .regex(/^-?\d{1,2}(\.\d+)?,\s*-?\d{1,3}(\.\d+)?$/)
/** Most stops between the two ends of a route. */
export const maxWaypoints = 25
const error = z.object({ error: z.string() })
const fn = <P extends `/${string}`>(path: P) => base.route({ method: 'POST', path, tags: ['functions'] })

/**
 * The HTTPS functions at their exact paths. Map functions require a bearer token; sign-up functions are open and rate
 * limited.
 */
export const functionsContract = {
  getAddress: fn('/googleapis-getaddress')
    .input(z.object({ latlng: latLngText }))
    .output(z.union([z.object({ success: z.literal(true), address: z.string() }), error])),
  getDriveTime: fn('/googleapis-getdrivetime')
    .input(z.object({ start: latLngText, dest: latLngText }))
    .output(z.union([z.object({ distance_in_km: z.number(), time_in_secs: z.number() }), error])),
  getMultiLocTime: fn('/googleapis-getmultiloctime')
    .input(
      z.object({
        start: latLngText,
        dest: latLngText,
        waypoints: z
          .union([z.array(latLngText).max(maxWaypoints), z.string().max(maxWaypoints * 61)])
          .optional(),
      }),
    )
    .output(z.union([z.object({ distance_in_km: z.number(), time_in_secs: z.number() }), error])),
  autocomplete: fn('/googleapis-autocomplete')
    .input(z.object({ searchKeyword: z.string().max(120), country: z.string().max(60).optional() }))
    .output(
      z.union([
        z.object({ searchResults: z.array(z.object({ place_id: z.string(), description: z.string() })) }),
        error,
      ]),
    ),
  getCoords: fn('/googleapis-getcoords')
    .input(z.object({ place_id: placeId.or(z.literal('')) }))
    .output(z.union([z.object({ coords: z.object({ lat: z.number(), lng: z.number() }) }), error])),
  getRoute: fn('/googleapis-getroute')
    .input(z.object({ start: latLngText, dest: latLngText }))
    .output(
      z.union([
        z.object({
          distance: z.number(),
          duration: z.number(),
          polylinePoints: z.array(z.object({ latitude: z.number(), longitude: z.number() })),
          coords: z.array(z.object({ latitude: z.number(), longitude: z.number() })),
        }),
        error,
      ]),
    ),
  /** Payment providers with the URL to post an order's form to. Throws no_provider_found when none is set up. */
  getProviders: base
    .route({ method: 'GET', path: '/get_providers', tags: ['functions'] })
    .output(z.array(z.object({ name: z.enum(paymentProviders), link: z.string() }))),
  /**
   * Sends a notification to one device: any device for admins, otherwise the caller's own. Throws no_user_match for an
   * unknown token.
   */
  sendNotification: fn('/send_notification')
    .input(
      z.object({
        token: z.string().trim().min(1).max(500),
        title: shortText.min(1),
        msg: longText.min(1),
        screen: z.string().max(60).optional(),
        params: z.record(z.string().max(60), z.unknown()).optional(),
      }),
    )
    .output(z.union([z.object({ success: z.literal(true) }), error])),
  /** Looks up the owner of a referral id. */
  validateReferrer: fn('/validate_referrer')
    .input(z.object({ referralId: z.string().max(60) }))
    .output(z.union([z.object({ uid: id }), error])),
  /** Returns one entry for each of the two that is taken, naming the field only. */
  checkUserExists: fn('/check_user_exists')
    .input(z.object({ email: z.string().max(254).optional(), mobile: z.string().max(30).optional() }))
    .output(z.union([z.object({ users: z.array(z.object({ field: z.enum(['email', 'mobile']) })) }), error])),
  userSignUp: fn('/user_signup')
    .input(z.object({ regData: registration }))
    .output(z.union([z.object({ uid: id }), error])),
}
