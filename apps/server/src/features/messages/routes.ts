import type { Os } from '../../platform/http/implement.ts'
import type { MessagesService } from './service.ts'

/** Admins alone; the table of routes says so. */
export function messagesRoutes(os: Os, messages: MessagesService) {
  return { list: os.messages.list.handler(({ input }) => messages.list(input)) }
}
