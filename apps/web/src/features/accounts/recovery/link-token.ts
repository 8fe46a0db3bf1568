import { useSearchParams } from '../../../lib/search-params.ts'

/** The token in the URL; empty if there is none. */
export function useLinkToken(): string {
  const [{ token = '' }] = useSearchParams()
  return token
}
