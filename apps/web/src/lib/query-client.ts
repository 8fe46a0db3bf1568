import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

/** The one cache of the page. Only what may succeed on a second try is asked again: no answer, or a server in trouble. */
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
