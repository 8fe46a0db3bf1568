import { type Push, PushError } from './port.ts'

/** Stores notifications that no push service delivers. */
export type StorePush = (message: {
  channel: 'push'
  to: string
  kind: string
  subject: string
  text: string
  params: Readonly<Record<string, string>>
}) => Promise<void>

/** Push notifications without a service: stores every message for the operator to read. */
export function embeddedPush(keep: StorePush): Push {
  return {
    send: async ({ token, platform, title, body, screen }) => {
      if (token.trim() === '') throw new PushError('the device has no token', true)
      const params = { platform, screen }
      await keep({ channel: 'push', to: token, kind: 'notification', subject: title, text: body, params })
    },
  }
}
