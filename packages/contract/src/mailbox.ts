import { z } from 'zod'
import { base } from './base.ts'
import { instant } from './shapes.ts'

const channel = z.enum(['mail', 'sms', 'push'])

/** A message that no outside service carried. */
export const mailboxMessage = z.object({
  id: z.int(),
  at: instant,
  channel,
  /** An email address, a phone number in international form, or a device's token; hidden while the demo is closed. */
  to: z.string(),
  /** What it is for, such as `verify_email`. */
  kind: z.string(),
  /** Empty where the channel knows none. */
  subject: z.string(),
  text: z.string(),
})
export type MailboxMessage = z.infer<typeof mailboxMessage>

export const mailboxContract = {
  /** Newest first; `before` is the id of the last one seen. On a demo alone, for admins; not_found otherwise. */
  list: base
    .route({ method: 'GET', path: '/api/v1/outbox', tags: ['mailbox'] })
    .input(
      z.object({
        channel: channel.optional(),
        before: z.coerce.number().pipe(z.int().min(1)).optional(),
      }),
    )
    .output(z.array(mailboxMessage)),
}
