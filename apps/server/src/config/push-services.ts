import type { Environment } from './environment.ts'
import type { FcmAccount } from './schemas.ts'

export interface PushConfig {
  /** Keys of web push; null: generated once and stored under the data folder. */
  vapidKeys: { publicKey: string; privateKey: string } | null
  /** Hosts of push services in addition to the known ones. */
  pushHosts: string[]
  /** Services for mobile apps; null for each that is not configured. URLs undefined: the vendor's. */
  push: {
    /** Whom push services can contact: an https or mailto URL; null: the public URL or the sender of mail. */
    subject: string | null
    fcm: { account: FcmAccount; url: string | undefined } | null
    expo: { accessToken: string; url: string | undefined } | null
  }
}

export function pushConfig(values: Environment): PushConfig {
  const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT, FCM_SERVICE_ACCOUNT, EXPO_ACCESS_TOKEN } =
    values
  return {
    vapidKeys:
      VAPID_PUBLIC_KEY && VAPID_PRIVATE_KEY
        ? { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY }
        : null,
    pushHosts: values.PUSH_HOSTS,
    push: {
      subject: VAPID_SUBJECT ?? null,
      fcm: FCM_SERVICE_ACCOUNT ? { account: FCM_SERVICE_ACCOUNT, url: values.FCM_URL } : null,
      expo: EXPO_ACCESS_TOKEN ? { accessToken: EXPO_ACCESS_TOKEN, url: values.EXPO_URL } : null,
    },
  }
}
