import { useSearch } from '@tanstack/react-router'

/** The token in the URL; empty if there is none. */
export function useLinkToken(): string {
  const { token } = useSearch({ strict: false }) as { token?: unknown }
  // The router parses a token of digits only as a number.
  return typeof token === 'string' || typeof token === 'number' ? String(token) : ''
}
