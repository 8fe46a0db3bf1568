import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { leaveQuestion } from '../entities/users/leave-question.ts'
import { queryClient } from '../lib/query-client.ts'
import { onSessionChange, onSessionEnded } from '../lib/session.ts'
import { Announcer } from '../ui/announcer.tsx'
import { partOnDemand } from '../ui/lazy-part.tsx'
import type { createAppRouter } from './router.tsx'

const UnsentDialog = partOnDemand(
  'unsent',
  async () => (await import('../entities/users/unsent-dialog.tsx')).UnsentDialog,
)

/** Asks before a sign-out that would lose something. */
function SignOutQuestion() {
  const question = useSyncExternalStore(leaveQuestion.subscribe, leaveQuestion.current, () => null)
  return question ? <UnsentDialog question={question} /> : null
}

/** The app: query cache, router and announcer. */
export function App({ router }: { router: ReturnType<typeof createAppRouter> }) {
  // Reruns the route guards, so a page that needs a session redirects to sign-in.
  useEffect(() => onSessionEnded(() => void router.invalidate()), [router])
  // Loader data of the previous user may lack what the next one needs, such as the texts of another shell.
  useEffect(() => onSessionChange(() => router.clearCache()), [router])
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <SignOutQuestion />
      <Announcer />
    </QueryClientProvider>
  )
}
