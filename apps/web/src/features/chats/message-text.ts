import type { ChatMessage } from '@hansom/contract/chats'
import { useCallback } from 'react'
import { useText } from '../../lib/i18n.ts'

/** The text of a message in the reader's language. */
export function useMessageText(): (message: Pick<ChatMessage, 'kind' | 'message' | 'quick'>) => string {
  const { t } = useText()
  return useCallback(
    ({ kind, message, quick }) => {
      if (quick !== null) return t(`chat.quick_${quick}`)
      if (kind === 'photo') return t('chat.photo')
      return kind === 'removed' ? t('chat.removed') : message
    },
    [t],
  )
}
