import type { FieldError } from '../error-keys.ts'
import type { Role } from '../users/roles.ts'

/** The device platforms, and the audience of a notification. */
export const pushPlatforms = ['ANDROID', 'IOS'] as const
export type PushPlatform = (typeof pushPlatforms)[number]
export const pushDeviceTypes = ['All', ...pushPlatforms] as const
export const pushUserTypes = ['All', 'rider', 'driver'] as const

/** A message from the back office to the devices of many users. */
export interface PushNotification {
  devicetype: (typeof pushDeviceTypes)[number]
  usertype: (typeof pushUserTypes)[number]
  title: string
  body: string
}

/** The most a phone shows. */
export const pushNotificationLimits = { title: 80, body: 400 } as const

/** All problems of a notification, by field. */
export function pushNotificationProblems({ title, body }: PushNotification): FieldError[] {
  return (['title', 'body'] as const).flatMap((field): FieldError[] => {
    const text = field === 'title' ? title : body
    if (!/\S/.test(text)) return [{ field, error: 'required' }]
    return text.trim().length > pushNotificationLimits[field] ? [{ field, error: 'too_long' }] : []
  })
}

/**
 * The user types and platforms that a notification reaches: riders, drivers or both, never the back office. For all devices it also reaches people without one, in their
 * list of notifications.
 */
export function pushReceivers({ devicetype, usertype }: Pick<PushNotification, 'devicetype' | 'usertype'>): {
  usertypes: Role[]
  platforms: PushPlatform[]
  withoutDevice: boolean
} {
  return {
    usertypes: usertype === 'All' ? ['rider', 'driver'] : [usertype],
    platforms: devicetype === 'All' ? [...pushPlatforms] : [devicetype],
    withoutDevice: devicetype === 'All',
  }
}

/** A push notification in the list of those it was sent to; its texts are `notify.announcement.title` and `.msg`. */
export const announcementNotice = 'announcement'
