import { z } from 'zod'
import { registration } from './accounts.ts'
import { base } from './base.ts'
import { paymentProviders } from '@hansom/domain/payments/providers'
import { id, longText, shortText } from './shapes.ts'

/** "lat,lng" in decimal degrees. */
const latLngText = z
  .string()
  .max(60)
  .regex(/^-?\d{1,2}(\.\d+)?,\s*-?\d{1,3}(\.\d+)?$/)
/** How many stops a way may have between its ends. */
export const mostWaypoints = 25
const error = z.object({ error: z.string() })
const fn = <P extends `/${string}`>(path: P) => base.route({ method: 'POST', path, tags: ['functions'] })

/** The HTTPS functions at their exact paths. The maps' need a bearer token; those of a sign-up are open, with limits. */
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
          .union([z.array(latLngText).max(mostWaypoints), z.string().max(mostWaypoints * 61)])
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
    .input(z.object({ place_id: z.string().max(200) }))
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
  /** Who can be paid by card, with the address that the form of an order is posted to. Nobody: no_provider_found. */
  getProviders: base
    .route({ method: 'GET', path: '/get_providers', tags: ['functions'] })
    .output(z.array(z.object({ name: z.enum(paymentProviders), link: z.string() }))),
  /** A notification to one device: any for admins, for others their own. An unknown token is no_user_match. */
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
  /** Whose referral id it is. */
  validateReferrer: fn('/validate_referrer')
    .input(z.object({ referralId: z.string().max(60) }))
    .output(z.union([z.object({ uid: id }), error])),
  /** Which of the two is taken: one entry for each, naming the field and nothing else. */
  checkUserExists: fn('/check_user_exists')
    .input(z.object({ email: z.string().max(254).optional(), mobile: z.string().max(30).optional() }))
    .output(z.union([z.object({ users: z.array(z.object({ field: z.enum(['email', 'mobile']) })) }), error])),
  userSignUp: fn('/user_signup')
    .input(z.object({ regData: registration }))
    .output(z.union([z.object({ uid: id }), error])),
}
