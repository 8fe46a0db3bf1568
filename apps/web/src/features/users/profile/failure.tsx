import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** Why something did not work; nothing when it did. */
export function Failure({ error }: { error: unknown }) {
  if (!error) return null
  return (
    <Notice tone="bad">
      <ErrorMessage error={error} />
    </Notice>
  )
}
