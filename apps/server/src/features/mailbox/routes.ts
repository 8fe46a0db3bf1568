import type { Os } from '../../platform/http/implement.ts'
import type { MailboxService } from './service.ts'

/** Admins only; the route table enforces it. */
export function mailboxRoutes(os: Os, messages: MailboxService) {
  return { list: os.mailbox.list.handler(({ input }) => messages.list(input)) }
}
