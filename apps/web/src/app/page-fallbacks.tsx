import { ApiError } from '@hansom/client/api-error'
import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { api } from '../lib/api.ts'
import { useText } from '../lib/i18n.ts'
import { firstDataAt } from '../lib/initial-topics.ts'
import { isUnreached } from '../lib/load-error.ts'
import { useDeviceOffline } from '../lib/use-device-offline.ts'
import { buttonClass } from '../ui/button.tsx'
import { partOnDemand } from '../ui/lazy-part.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/page-states.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import classes from './page-fallbacks.module.css'

/** How often a page that could not be loaded asks whether the server is back, ms. */
const retryMs = 5_000

/** Shown while a page's code loads. */
export function PageLoading() {
  return (
    <div className={classes.page}>
      <LoadingState />
    </div>
  )
}

/** Kept together with the pages that it leads to. */
const OfflinePage = partOnDemand(
  'offline',
  async () => (await import('./offline-page.tsx')).OfflinePage,
  <LoadingState />,
)

/** Shown inside the shell when a page fails; offers a retry, and retries when the connection returns. */
export function PageError({ error }: { error: unknown }) {
  const router = useRouter()
  const isOffline = useDeviceOffline()
  const wasOffline = useRef(isOffline)
  useEffect(() => {
    if (!isOffline && wasOffline.current) void router.invalidate()
    wasOffline.current = isOffline
  }, [isOffline, router])
  // The device may have a connection, and the server none. A server that is there has another reason not to send the page.
  useEffect(() => {
    if (!isUnreached(error)) return
    let wasAway = false
    const timer = setInterval(() => {
      if (document.hidden) return
      void fetch('/healthz', { signal: AbortSignal.timeout(retryMs) }).then(
        ({ ok }) => {
          if (ok && wasAway) void router.invalidate()
          wasAway = !ok
        },
        () => {
          wasAway = true
        },
      )
    }, retryMs)
    return () => clearInterval(timer)
  }, [error, router])
  const retry = () => void router.invalidate()
  const wasStored = firstDataAt() !== null
  const isCut = isUnreached(error) && (isOffline || wasStored)
  const ownId = useReport(error)
  return (
    <div className={classes.page}>
      {isCut && (wasStored || OfflinePage.isLoaded()) ? (
        <OfflinePage onRetry={retry} />
      ) : (
        <ErrorState error={error} id={ownId} onRetry={retry} />
      )}
    </div>
  )
}

/** Writes an error of the page's own code into the server's log, once; returns the id under which it is there. */
function useReport(error: unknown): string | undefined {
  const isOwn = !(error instanceof ApiError) && !isUnreached(error)
  const id = useMemo(() => (isOwn ? newIdempotencyKey() : undefined), [error, isOwn])
  useEffect(() => {
    if (id === undefined) return
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    const report = {
      id,
      message: message.slice(0, 500),
      stack: stack.slice(0, 4_000),
      path: location.pathname.slice(0, 200),
    }
    // Without a connection only the person knows of it.
    void api.pages.reportError(report).catch(() => {})
  }, [error, id])
  return id
}

/** Same, for an error outside every shell. */
export function RootError({ error }: { error: unknown }) {
  return (
    <main>
      <PageError error={error} />
    </main>
  )
}

/** Shown for an unknown URL. */
export function NotFoundScreen() {
  const { t } = useText()
  usePageTitle(t('common.not_found_title'))
  return (
    <main className={classes.page}>
      <EmptyState
        heading="h1"
        title={t('common.not_found_title')}
        action={
          <Link to="/" className={buttonClass({ variant: 'primary' })}>
            {t('common.home')}
          </Link>
        }
      >
        {t('common.not_found_text')}
      </EmptyState>
    </main>
  )
}
