import type { MailboxMessage } from '@hansom/contract/mailbox'
import { hiddenForDemo } from '@hansom/domain/access/shown-contacts'
import { Refusal } from '@hansom/domain/error-keys'
import type { MessageLog, MessageQuery } from '../../platform/mailbox/message-log.ts'
import type { SettingsService } from '../settings/service.ts'

export interface MailboxService {
  /**
   * What no outside service carried, newest first. Refused with not_found off the demo: it holds codes and links. While
   * the demo is closed for critical edits nobody reads to whom it went.
   */
  list(query: Pick<MessageQuery, 'channel' | 'before'>): Promise<MailboxMessage[]>
}

/** Lets a demo be walked through without a provider of mail or text messages. */
export function createMailboxService(deps: {
  messages: MessageLog
  settings: Pick<SettingsService, 'current'>
  demo: boolean
}): MailboxService {
  return {
    list: async (query) => {
      if (!deps.demo) throw new Refusal('not_found')
      const kept = await deps.messages.list(query)
      const { AllowCriticalEditsAdmin } = await deps.settings.current()
      return kept.map(({ params: _params, ...message }) => ({
        ...message,
        to: AllowCriticalEditsAdmin ? message.to : hiddenForDemo,
      }))
    },
  }
}
