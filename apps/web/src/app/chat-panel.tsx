import type { ChatPanel } from '../entities/chats/chat-button.tsx'
import { partOnDemand } from '../ui/lazy-part.tsx'
import { loadModal } from '../ui/modal.tsx'

const ChatSheet = partOnDemand(
  'chat',
  async () => (await import('../features/chats/chat-sheet.tsx')).ChatSheet,
)

/** The conversation of a trip, for the pages that have a button for it. */
export const chatPanel: ChatPanel = {
  load: () => Promise.all([ChatSheet.load(), loadModal()]),
  show: (view, onClose) => <ChatSheet view={view} onClose={onClose} />,
}
