import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** Shows an error; renders nothing without one. */
export function ErrorNotice({ error }: { error: unknown }) {
  if (!error) return null
  return (
    <Notice tone="bad">
      <ErrorMessage error={error} />
    </Notice>
  )
}
