import type { Os } from '../../platform/http/implement.ts'
import type { MailboxService } from './service.ts'

/** Admins alone; the table of routes says so. */
export function mailboxRoutes(os: Os, messages: MailboxService) {
  return { list: os.mailbox.list.handler(({ input }) => messages.list(input)) }
}
