import { lazy, Suspense } from 'react'
import { loading } from '../../lib/load-error.ts'
import { useMe } from '../../lib/session.ts'
import { PublicShell } from './public-shell.tsx'

/** Also called by the route loader, so that signed-in users do not wait for it after the first render. */
export const loadAppShell = async () => ({ default: (await loading(import('./app-shell.tsx'))).AppShell })
const AppShell = lazy(loadAppShell)

/** The shell of the front page: the site's header and footer for visitors, the app shell for signed-in users. */
export function HomeShell() {
  if (!useMe()) return <PublicShell />
  return (
    <Suspense fallback={null}>
      <AppShell />
    </Suspense>
  )
}
