import type { MailboxMessage } from '@hansom/contract/mailbox'
import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import { Refusal } from '@hansom/domain/error-keys'
import type { Os } from '../../platform/http/implement.ts'
import type { MessageLog, MessageQuery } from '../../platform/mailbox/message-log.ts'
import type { SettingsService } from '../settings/service.ts'

export interface MailboxService {
  /**
   * Returns the messages that no outside service delivered, newest first. Throws not_found when not a demo, because
   * messages contain codes and links. Hides recipients while the demo is closed for critical edits.
   */
  list(query: Pick<MessageQuery, 'channel' | 'before'>): Promise<MailboxMessage[]>
  /** An email as people see it. Throws not_found when not a demo, or without a page. */
  page(id: number): Promise<string>
}

/** Lets users try a demo without an email or SMS provider. */
export function createMailboxService(deps: {
  messages: MessageLog
  settings: Pick<SettingsService, 'current'>
  demo: boolean
}): MailboxService {
  return {
    list: async (query) => {
      if (!deps.demo) throw new Refusal('not_found')
      const stored = await deps.messages.list(query)
      const { AllowCriticalEditsAdmin } = await deps.settings.current()
      return stored.map(({ params: _params, ...message }) => ({
        ...message,
        to: AllowCriticalEditsAdmin ? message.to : hiddenForDemo,
      }))
    },
    page: async (id) => {
      const html = deps.demo ? await deps.messages.page(id) : null
      if (html === null) throw new Refusal('not_found')
      return html
    },
  }
}

/** Admins only; the route table enforces it. */
export function mailboxRoutes(os: Os, messages: MailboxService) {
  return {
    list: os.mailbox.list.handler(({ input }) => messages.list(input)),
    page: os.mailbox.page.handler(async ({ input }) => ({ html: await messages.page(input.id) })),
  }
}
