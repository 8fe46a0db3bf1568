import type { Os } from '../../platform/http/implement.ts'
import type { MessagesService } from './service.ts'

/** Admins only; the route table enforces it. */
export function messagesRoutes(os: Os, messages: MessagesService) {
  return { list: os.messages.list.handler(({ input }) => messages.list(input)) }
}
