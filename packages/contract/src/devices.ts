import { deviceKinds, maxDevices, maxTokenLength } from '@hansom/domain/devices/device'
import { notificationKinds } from '@hansom/domain/notifications/kinds'
import { pushPlatforms } from '@hansom/domain/push-notifications/push-notification'
import { z } from 'zod'
import { base } from './base.ts'
import { id, instant } from './shapes.ts'

const token = z.string().trim().min(1).max(maxTokenLength)
/** Of an installed language; another one falls back to the user's language. */
const locale = z.string().max(35).optional()

/**
 * A browser's subscription with the fields of `PushSubscription.toJSON()`, or the token of a mobile app. A browser reports
 * its device's platform, null for a computer.
 */
export const newDevice = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('web'),
    endpoint: token,
    keys: z.strictObject({ p256dh: z.string().max(100), auth: z.string().max(40) }),
    platform: z.enum(pushPlatforms).nullable(),
    locale,
  }),
  z.strictObject({ kind: z.enum(['fcm', 'expo']), token, platform: z.enum(pushPlatforms), locale }),
])
export type NewDevice = z.infer<typeof newDevice>

/** A device of the caller, without its token. */
export const device = z.object({
  id,
  kind: z.enum(deviceKinds),
  platform: z.enum(pushPlatforms).nullable(),
  createdAt: instant,
  /** When it was registered last. */
  seenAt: instant,
  /** Registered by the caller's present session. */
  current: z.boolean(),
})
export type DeviceView = z.infer<typeof device>

const notificationKind = z.enum(notificationKinds)

/** The kinds that the caller's role receives, in the order to show them. */
export const pushPreferences = z.object({
  kinds: z.array(
    z.object({
      kind: notificationKind,
      muted: z.boolean(),
      /** Always sent; it cannot be muted. */
      fixed: z.boolean(),
    }),
  ),
})
export type PushPreferences = z.infer<typeof pushPreferences>

const route = <M extends 'GET' | 'POST' | 'PUT' | 'DELETE', P extends string>(method: M, path: P) =>
  base.route({ method, path: `/api/v1/push${path}` as const, tags: ['push'] })
const done = z.object({ ok: z.literal(true) })

/**
 * Push messages to the caller's devices. The payload of a web push message is `WebMessage` of the domain. Muted kinds
 * stay in the list of notifications.
 */
export const devicesContract = {
  /** The VAPID public key for `pushManager.subscribe`: base64url of an uncompressed P-256 point. */
  key: route('GET', '/key').output(z.object({ key: z.string() })),
  list: route('GET', '/devices').output(z.array(device)),
  /**
   * Registers a device with the caller and their session; repeatable. A device of another user becomes the caller's. At
   * most `maxDevices` a user: the one seen longest ago is removed.
   */
  register: route('POST', '/devices').input(newDevice).output(device),
  /** Removes the caller's device with this token or endpoint, if there is one. */
  forget: route('DELETE', '/devices').input(z.strictObject({ token })).output(done),
  remove: route('DELETE', '/devices/{id}').input(z.strictObject({ id })).output(done),
  preferences: route('GET', '/preferences').output(pushPreferences),
  /** Replaces the muted kinds. A kind that the caller's role may not mute is refused. */
  setPreferences: route('PUT', '/preferences')
    .input(z.strictObject({ muted: z.array(notificationKind).max(notificationKinds.length) }))
    .output(pushPreferences),
  /** Sends a test notification to the caller's devices; returns their number. Limited per user. */
  test: route('POST', '/test').output(z.object({ devices: z.int().max(maxDevices) })),
}
