import type { OutboxMessage } from '@hansom/contract/messages'
import { Refusal } from '@hansom/domain/error-keys'
import type { MessageLog, MessageQuery } from '../../platform/messages/message-log.ts'

export interface MessagesService {
  /** What no outside service carried, newest first. Refused with not_found off the demo: it holds codes and links. */
  list(query: Pick<MessageQuery, 'channel' | 'before'>): Promise<OutboxMessage[]>
}

/** Lets a demo be walked through without a provider of mail or text messages. */
export function createMessagesService(deps: { messages: MessageLog; demo: boolean }): MessagesService {
  return {
    list: async (query) => {
      if (!deps.demo) throw new Refusal('not_found')
      const kept = await deps.messages.list(query)
      return kept.map(({ params: _params, ...message }) => message)
    },
  }
}
