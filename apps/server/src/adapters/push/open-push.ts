import { embeddedPush, type StorePush } from './embedded.ts'
import { type ExpoOptions, expoSender } from './expo.ts'
import { type FcmOptions, fcmSender } from './fcm.ts'
import type { Push } from './port.ts'
import { type WebPushOptions, webPushSender } from './web.ts'

export interface PushServices {
  web: WebPushOptions
  /** Null: messages to apps with tokens of this service are stored. */
  fcm: FcmOptions | null
  expo: ExpoOptions | null
  store: StorePush
}

/** Sends each message by the service of its device. */
export function openPush({ web, fcm, expo, store }: PushServices): Push {
  const stored = embeddedPush(store)
  const expoService = expo && expoSender(expo)
  const senders = {
    web: webPushSender(web),
    fcm: fcm ? fcmSender(fcm) : stored,
    expo: expoService?.send ?? stored,
  }
  return {
    publicKey: web.keys.publicKey,
    isStored: (kind) => senders[kind] === stored,
    send: (message) => senders[message.target.kind](message),
    unregistered: async (receipts) => (await expoService?.unregistered(receipts)) ?? [],
  }
}
