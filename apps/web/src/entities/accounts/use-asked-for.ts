import { useSearch } from '@tanstack/react-router'
import { returnAddress } from '../../lib/return-address.ts'

/**
 * The page that was asked for before signing in, as an address of this site; null for none. It comes as `next` from a
 * page that asks for signing in, and as `from` out of another service.
 */
export function useAskedFor(): string | null {
  const { next, from } = useSearch({ strict: false }) as { next?: unknown; from?: unknown }
  // Where the page is drawn before any script there is no address yet.
  return typeof location === 'undefined' ? null : returnAddress(next ?? from, location.origin)
}
