import { createHash } from 'node:crypto'
import { type PushAccepted, PushError, type PushMessage } from './port.ts'

/** Stores notifications that no push service delivers. */
export type StorePush = (message: {
  channel: 'push'
  to: string
  kind: string
  subject: string
  text: string
  params: Readonly<Record<string, string>>
}) => Promise<void>

/** Push notifications without a service: stores every shown message for the operator to read. */
export function embeddedPush(keep: StorePush) {
  return async ({ target, content }: PushMessage): Promise<PushAccepted> => {
    if (target.token.trim() === '') throw new PushError('the device has no token', 'unregistered')
    if ('notification' in content) {
      const { title, body, data, navigate } = content.notification
      const params = { platform: target.platform ?? '', screen: data.screen, link: navigate }
      await keep({
        channel: 'push',
        // A token is enough to send to the device: readers of the mailbox only see which messages have one.
        to: createHash('sha256').update(target.token).digest('hex').slice(0, 16),
        kind: 'notification',
        subject: title,
        text: body,
        params,
      })
    }
    return { receipt: null }
  }
}
