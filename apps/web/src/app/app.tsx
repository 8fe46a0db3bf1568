import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queryClient } from '../lib/query-client.ts'
import { onSessionChange, onSessionEnded } from '../lib/session.ts'
import { Announcer } from '../ui/announcer.tsx'
import type { createAppRouter } from './router.tsx'

/** The whole page: cache and routes. */
export function App({ router }: { router: ReturnType<typeof createAppRouter> }) {
  // The guards are asked again: a page that is nobody's any more leads to signing in.
  useEffect(() => onSessionEnded(() => void router.invalidate()), [router])
  // What was loaded for the former user is not all that the next one needs: the frame has other texts.
  useEffect(() => onSessionChange(() => router.clearCache()), [router])
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Announcer />
    </QueryClientProvider>
  )
}
