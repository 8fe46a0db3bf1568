import { ApiError } from '@hansom/client/api-error'
import { QueryClient } from '@tanstack/react-query'

/** The page's query cache. Retries a query only if a second try may succeed: no response, or a server error. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
    mutations: { retry: false },
  },
})

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
  }
}
