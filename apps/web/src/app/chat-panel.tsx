import { Suspense } from 'react'
import type { ChatPanel } from '../entities/chats/chat-button.tsx'
import { ensureTexts } from '../lib/i18n.ts'
import { part } from '../ui/lazy-part.tsx'
import { loadModal } from '../ui/modal.tsx'

/** With its texts, which the pages that open it lack. */
const ChatSheet = part(async () => {
  const [{ ChatSheet: Sheet }] = await Promise.all([
    import('../features/chats/chat-sheet.tsx'),
    ensureTexts(['chat']),
    loadModal(),
  ])
  return Sheet
})

/** The conversation of a trip, for the pages that have a button for it. */
export const chatPanel: ChatPanel = {
  load: ChatSheet.load,
  show: (view, onClose) => (
    <Suspense fallback={null}>
      <ChatSheet view={view} onClose={onClose} />
    </Suspense>
  ),
}
