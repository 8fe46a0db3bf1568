/**
 * The address to open after signing in: only one of this site (`/bookings?page=2`), never the sign-in page itself. Null
 * for everything else. `origin` is this site's, such as `https://rides.example`.
 */
export function returnAddress(next: unknown, origin: string): string | null {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, origin)) return null
  const address = new URL(next, origin)
  // Browsers read "//host" and "/\host" as another site, also where dots or tabs stand in between.
  if (address.origin !== origin || address.pathname.startsWith('//')) return null
  return address.pathname === '/login' ? null : `${address.pathname}${address.search}${address.hash}`
}
