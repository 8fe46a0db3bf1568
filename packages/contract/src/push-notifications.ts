import { pushDeviceTypes, pushUserTypes } from '@hansom/domain/push-notifications/push-notification'
import { z } from 'zod'
import { base } from './base.ts'
import { pushNotificationsTableSpec } from './push-notifications-table.ts'
import { id, instant, longText, pageOf, rowVersion, shortText } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

const fields = {
  devicetype: z.enum(pushDeviceTypes),
  usertype: z.enum(pushUserTypes),
  title: shortText,
  body: longText,
}

/** The progress of one send of a notification. */
export const pushSend = z.object({
  at: instant,
  /** Number of matching people. */
  total: z.int(),
  /**
   * People to whose devices it was sent, people with no device that is still registered, and people without a device or
   * with news muted, who find it in their list of notifications.
   */
  done: z.int(),
  failed: z.int(),
  listed: z.int(),
  finished_at: instant.nullable(),
})

export const pushNotification = z.object({
  id,
  ...fields,
  createdAt: instant,
  version: rowVersion,
  lastSend: pushSend.nullable(),
})
export type PushNotificationView = z.infer<typeof pushNotification>

export const newPushNotification = z.strictObject(fields)
export const pushNotificationChanges = z.object(fields).partial()

const route = <M extends 'GET' | 'POST' | 'PATCH' | 'DELETE', P extends string>(method: M, path: P) =>
  base.route({ method, path: `/api/v1/notifications${path}` as const, tags: ['push notifications'] })

export const pushNotificationsContract = {
  list: route('GET', '').input(tableInput(pushNotificationsTableSpec)).output(pageOf(pushNotification)),
  count: route('GET', '/count').input(tableCountInput(pushNotificationsTableSpec)).output(tableCount),
  /** The number of people that a notification would reach, and of those with a device. */
  reach: route('GET', '/reach')
    .input(z.object({ devicetype: fields.devicetype, usertype: fields.usertype }))
    .output(z.object({ people: z.int(), devices: z.int() })),
  get: route('GET', '/{id}').input(z.object({ id })).output(pushNotification),
  create: base
    .route({
      method: 'POST',
      path: '/api/v1/notifications',
      tags: ['push notifications'],
      successStatus: 201,
    })
    .input(newPushNotification)
    .output(pushNotification),
  /**
   * `version` is that of the record as read; if it changed since, throws conflict with the record in `data.current`.
   */
  update: route('PATCH', '/{id}')
    .input(z.strictObject({ id, version: rowVersion, ...pushNotificationChanges.shape }))
    .output(pushNotification),
  remove: route('DELETE', '/{id}')
    .input(z.strictObject({ id }))
    .output(z.object({ ok: z.literal(true) })),
  /**
   * Sends the notification in its current form to every matching person: to their list of notifications, and to their
   * device if they have one. Throws no_user_match, and
   * conflict while a send of it is in progress. A repeated request with the same idempotency key sends nothing.
   */
  send: route('POST', '/{id}/send').input(z.strictObject({ id })).output(pushNotification),
}
