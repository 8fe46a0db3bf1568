import { z } from 'zod'
import { base } from './base.ts'
import { instant } from './shapes.ts'

const channel = z.enum(['mail', 'sms', 'push'])

/** A message stored on this server because no outside service is configured for it. */
export const mailboxMessage = z.object({
  id: z.int(),
  at: instant,
  channel,
  /**
   * An email address, a phone number in international form, or a device's token; masked while the demo hides contacts.
   */
  to: z.string(),
  /** Purpose of the message, such as `verify_email`. */
  kind: z.string(),
  /** Empty if the channel has no subject. */
  subject: z.string(),
  text: z.string(),
  /** True for an email with a page: see `page`. */
  hasPage: z.boolean(),
})
export type MailboxMessage = z.infer<typeof mailboxMessage>

export const mailboxContract = {
  /** Newest first; `before` is the id of the last one seen. Demo only, for admins; throws not_found otherwise. */
  list: base
    .route({ method: 'GET', path: '/api/v1/outbox', tags: ['mailbox'] })
    .input(
      z.object({
        channel: channel.optional(),
        before: z.coerce.number().pipe(z.int().min(1)).optional(),
      }),
    )
    .output(z.array(mailboxMessage)),
  /** An email as people see it. Demo only, for admins; throws not_found otherwise, and without a page. */
  page: base
    .route({ method: 'GET', path: '/api/v1/outbox/{id}/page', tags: ['mailbox'] })
    .input(z.object({ id: z.coerce.number().pipe(z.int().min(1)) }))
    .output(z.object({ html: z.string() })),
}
