import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Environment } from './environment.ts'

/** The used part of a Google service account's key file. */
const account = z.object({
  project_id: z.string().regex(/^[a-z0-9:.-]{1,100}$/),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  token_uri: z.url(),
})

/** The content of a service account's key file, or its path. */
export const fcmServiceAccount = z.string().transform((text, context) => {
  const parsed = account.safeParse(readJson(text.trim().startsWith('{') ? text : readFile(text)))
  if (parsed.success) return parsed.data
  context.addIssue({
    code: 'custom',
    message: 'must be the JSON of a Google service account key, or the path of its file',
  })
  return z.NEVER
})

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface PushConfig {
  /** Keys of web push; null: generated once and stored under the data folder. */
  vapidKeys: { publicKey: string; privateKey: string } | null
  /** Hosts of push services in addition to the known ones. */
  pushHosts: string[]
  /** Services for mobile apps; null for each that is not configured. URLs undefined: the vendor's. */
  push: {
    /** Whom push services can contact: an https or mailto URL; null: the public URL or the sender of mail. */
    subject: string | null
    fcm: { account: z.infer<typeof account>; url: string | undefined } | null
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
