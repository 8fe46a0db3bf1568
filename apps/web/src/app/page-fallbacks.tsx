import { Link, useRouter } from '@tanstack/react-router'
import { useText } from '../lib/i18n.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/page-states.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import classes from './page-fallbacks.module.css'

/** While a page's code is on its way. */
export function PageLoading() {
  return (
    <div className={classes.page}>
      <LoadingState />
    </div>
  )
}

/** A page that broke, inside of its frame, with another try. */
export function PageError({ error }: { error: unknown }) {
  const router = useRouter()
  return (
    <div className={classes.page}>
      <ErrorState error={error} onRetry={() => void router.invalidate()} />
    </div>
  )
}

/** The same where not even the frame is left. */
export function RootError({ error }: { error: unknown }) {
  return (
    <main>
      <PageError error={error} />
    </main>
  )
}

/** An address that leads nowhere. */
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
