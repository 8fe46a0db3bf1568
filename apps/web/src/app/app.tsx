import { DirectionProvider, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useColorScheme } from '../lib/color-scheme.ts'
import { useText } from '../lib/i18n.ts'
import { queryClient } from '../lib/query-client.ts'
import { Announcer } from '../ui/announcer.tsx'
import type { createAppRouter } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

/** The whole page: theme, direction, cache and routes. */
export function App({ router }: { router: ReturnType<typeof createAppRouter> }) {
  const scheme = useColorScheme()
  const { language } = useText()
  return (
    <DirectionProvider initialDirection={language.direction} detectDirection={false} key={language.direction}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={scheme}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Announcer />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}
