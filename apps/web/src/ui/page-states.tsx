import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { isUnreached } from '../lib/load-error.ts'
import { useDeviceOffline } from '../lib/use-device-offline.ts'
import { Button } from './button.tsx'
import { ErrorMessage } from './error-message.tsx'
import classes from './page-states.module.css'

/** A gray placeholder, invisible for the first 150 ms. Sizes are CSS lengths. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return <span className={classes.skeleton} style={{ inlineSize: width, blockSize: height }} aria-hidden />
}

/** Placeholder for a page or list that is loading; offline it says that there is nothing to wait for. */
export function LoadingState({ rows = 4, height = '64px' }: { rows?: number; height?: string }) {
  const { t } = useText()
  const isOffline = useDeviceOffline()
  if (isOffline) return <output className={classes.notOffline}>{t('common.not_offline')}</output>
  return (
    <output className={classes.rows} aria-label={t('common.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </output>
  )
}

interface EmptyProps {
  title: ReactNode
  children?: ReactNode
  /** The next action: a button or a link. */
  action?: ReactNode
  /** `h1` if the page has no other heading. */
  heading?: 'h1' | 'h2'
}

/** Placeholder for an empty list, with the next action. */
export function EmptyState({ title, children, action, heading: Heading = 'h2' }: EmptyProps) {
  return (
    <div className={classes.state}>
      <Heading className={classes.title}>{title}</Heading>
      {children ? <p>{children}</p> : null}
      {action ? <div className={classes.action}>{action}</div> : null}
    </div>
  )
}

/** An error with a retry button. `id`: of an error that the page has reported itself. */
export function ErrorState({
  error,
  id,
  onRetry,
}: {
  error: unknown
  id?: string | undefined
  onRetry?: () => void
}) {
  const { t } = useText()
  return (
    <div className={classes.state} role="alert">
      <h2 className={classes.title}>{t(isUnreached(error) ? 'common.unreached' : 'common.error_title')}</h2>
      <p>
        <ErrorMessage error={error} id={id} />
      </p>
      {onRetry ? (
        <Button className={classes.action} onClick={onRetry}>
          {t('common.retry')}
        </Button>
      ) : null}
    </div>
  )
}

/** A strip above the page while `shown`; interruptions under 600 ms are not shown. */
export function NoticeStrip({ shown, children }: { shown: boolean; children: ReactNode }) {
  const [visible, setVisible] = useState(false)
  useEffect(() => {
    if (!shown) return setVisible(false)
    const timer = setTimeout(() => setVisible(true), 600)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <output className={classes.stripHolder} data-notice={visible || undefined}>
      {visible ? (
        <span className={classes.strip}>
          <span className={classes.dot} aria-hidden />
          {children}
        </span>
      ) : null}
    </output>
  )
}
