import type { OutboxMessage } from '@hansom/contract/messages'
import { hiddenForDemo } from '@hansom/domain/access/shown-contacts'
import { Refusal } from '@hansom/domain/error-keys'
import type { MessageLog, MessageQuery } from '../../platform/messages/message-log.ts'
import type { SettingsService } from '../settings/service.ts'

export interface MessagesService {
  /**
   * What no outside service carried, newest first. Refused with not_found off the demo: it holds codes and links. While
   * the demo is closed for critical edits nobody reads to whom it went.
   */
  list(query: Pick<MessageQuery, 'channel' | 'before'>): Promise<OutboxMessage[]>
}

/** Lets a demo be walked through without a provider of mail or text messages. */
export function createMessagesService(deps: {
  messages: MessageLog
  settings: Pick<SettingsService, 'current'>
  demo: boolean
}): MessagesService {
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
