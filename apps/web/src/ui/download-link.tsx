import { ApiError, parseErrorResponse, toApiError } from '@hansom/client/api-error'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import classes from './download-link.module.css'
import { ErrorMessage } from './error-message.tsx'

interface Props {
  href: string
  className?: string
  children: ReactNode
}

/**
 * A link that downloads a file and shows the error when the server refuses: a plain download link would save the error as
 * a file.
 */
export function DownloadLink({ href, className, children }: Props) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const wait = waitOf(error)
  const download = (event: MouseEvent) => {
    // Another tab or a saved link stays the browser's own download.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setError(null)
    saveFile(href)
      .catch((cause: unknown) => setError(toApiError(cause)))
      .finally(() => setBusy(false))
  }
  return (
    <>
      <a href={href} download className={className} aria-busy={busy} onClick={download}>
        {children}
      </a>
      {error ? (
        <span role="alert" className={classes.error}>
          {wait === null ? <ErrorMessage error={error} /> : t('common.download_wait', { count: wait })}
        </span>
      ) : null}
    </>
  )
}

/** Seconds until the server accepts another download; null for other errors. */
function waitOf(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.key !== 'too_many_requests') return null
  const { retryAfterS } = error.data
  return typeof retryAfterS === 'number' ? Math.ceil(retryAfterS) : null
}

/** Fetches a file and saves it under the name that the server gives it. Throws ApiError. */
async function saveFile(href: string): Promise<void> {
  const response = await fetch(href)
  if (!response.ok) throw parseErrorResponse(await response.json().catch(() => null), response.status)
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  if (name === undefined) throw new ApiError('server_error', response.status)
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
