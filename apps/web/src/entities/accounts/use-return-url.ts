import { returnUrl } from '../../lib/return-url.ts'
import { useSearchParams } from '../../lib/search-params.ts'

/**
 * The page requested before sign-in, as a URL of this site, or null. It is passed as `next` by a page that requires
 * sign-in, and as `from` by another service.
 */
export function useReturnUrl(): string | null {
  const [{ next, from }] = useSearchParams()
  // No URL is known during prerendering.
  return typeof location === 'undefined' ? null : returnUrl(next ?? from, location.origin)
}
