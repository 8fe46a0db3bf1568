import { lazy, Suspense } from 'react'
import { useMe } from '../../lib/session.ts'
import { PublicShell } from './public-shell.tsx'

/** Also called before the page is drawn, so that signed-in people do not wait for it again. */
export const loadAppShell = async () => ({ default: (await import('./app-shell.tsx')).AppShell })
const AppShell = lazy(loadAppShell)

/** The frame of the front page: visitors have the site's header and footer, signed-in people what they have everywhere. */
export function HomeShell() {
  if (!useMe()) return <PublicShell />
  return (
    <Suspense fallback={null}>
      <AppShell />
    </Suspense>
  )
}
