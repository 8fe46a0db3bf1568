import { type Push, PushError } from './port.ts'

/** Where notifications go that no service carries. */
export type KeepPush = (message: {
  channel: 'push'
  to: string
  kind: string
  subject: string
  text: string
  params: Readonly<Record<string, string>>
}) => Promise<void>

/** Notifications without a service: every one is kept, to be read by whoever runs the platform. */
export function embeddedPush(keep: KeepPush): Push {
  return {
    send: async ({ token, platform, title, body, screen }) => {
      if (token.trim() === '') throw new PushError('the device has no token', true)
      const params = { platform, screen }
      await keep({ channel: 'push', to: token, kind: 'notification', subject: title, text: body, params })
    },
  }
}
