import { useState } from 'react'
import { ErrorMessage } from './error-message.tsx'
import { Notice } from './notice.tsx'

/** Runs one request at a time and renders its error. */
export function useSubmit<Answer>(onDone: (answer: Answer) => void) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  return {
    busy,
    failure: error ? (
      <Notice tone="bad">
        <ErrorMessage error={error} />
      </Notice>
    ) : null,
    send: (call: () => Promise<Answer>) => {
      setBusy(true)
      setError(null)
      call()
        .then(onDone, setError)
        .finally(() => setBusy(false))
    },
  }
}
