import { useSearch } from '@tanstack/react-router'

/** The token of the link that was opened; empty when the address has none. */
export function useLinkToken(): string {
  const { token } = useSearch({ strict: false }) as { token?: unknown }
  // The router reads a token of digits alone as a number.
  return typeof token === 'string' || typeof token === 'number' ? String(token) : ''
}
