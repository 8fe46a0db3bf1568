import { z } from 'zod'
import { type PushAccepted, PushError, type PushMessage } from './port.ts'
import { postToService } from './post.ts'

export interface ExpoOptions {
  accessToken: string
  /** Default: Expo's URL. */
  url?: string | undefined
  timeoutMs?: number
}

const details = z.object({ error: z.string().optional() }).optional()
const ticket = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), id: z.string() }),
  z.object({ status: z.literal('error'), details }),
])
const sendResponse = z.object({ data: ticket })
const receiptResponse = z.object({ data: z.record(z.string(), z.object({ status: z.string(), details })) })

const gone = 'DeviceNotRegistered'
/** The most receipts in one request. */
const receiptsAtOnce = 300

/**
 * Sends to apps by Expo's push service (docs.expo.dev/push-notifications/sending-notifications), which reports the result
 * of an accepted message later, as a receipt. It cannot close a notification.
 */
export function expoSender({ accessToken, url = 'https://exp.host', timeoutMs = 10_000 }: ExpoOptions) {
  const base = `${url.replace(/\/$/, '')}/--/api/v2/push`
  const post = (path: string, body: unknown) =>
    postToService(`${base}/${path}`, {
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify(body),
      timeoutMs,
    })

  return {
    send: async ({ target, content, urgency, ttlS }: PushMessage): Promise<PushAccepted> => {
      if ('close' in content) throw new PushError('Expo cannot close a notification', 'refused')
      const { title, body, navigate, data } = content.notification
      const { status, json } = await post('send', {
        to: target.token,
        title,
        body,
        data: { ...data, link: navigate },
        sound: 'default',
        ttl: ttlS,
        priority: urgency === 'high' ? 'high' : 'normal',
      })
      const parsed = sendResponse.safeParse(json)
      if (status !== 200 || !parsed.success) throw new PushError(`Expo returned ${status}`, 'refused')
      const result = parsed.data.data
      if (result.status === 'ok') return { receipt: result.id }
      const error = result.details?.error ?? 'an error'
      if (error === gone) throw new PushError('the app is no longer registered', 'unregistered')
      const isTemporary = error === 'MessageRateExceeded'
      throw new PushError(`Expo returned ${error}`, isTemporary ? 'temporary' : 'refused')
    },

    /** Returns those of some receipts whose device is gone. Receipts that are not ready are left out. */
    unregistered: async (receipts: readonly string[]): Promise<string[]> => {
      const found: string[] = []
      for (let start = 0; start < receipts.length; start += receiptsAtOnce) {
        const ids = receipts.slice(start, start + receiptsAtOnce)
        const { status, json } = await post('getReceipts', { ids })
        const parsed = receiptResponse.safeParse(json)
        if (status !== 200 || !parsed.success) throw new PushError(`Expo returned ${status}`, 'temporary')
        const { data } = parsed.data
        found.push(...ids.filter((id) => data[id]?.details?.error === gone))
      }
      return found
    },
  }
}
