/**
 * The URL to open after sign-in. Accepts only URLs of this site (`/bookings?page=2`), never the sign-in page; null for
 * anything else. `origin` is this site's, such as `https://rides.example`.
 */
export function returnUrl(next: unknown, origin: string): string | null {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, origin)) return null
  const address = new URL(next, origin)
  // Browsers treat "//host" and "/\host" as another site, even with dots or tabs in between.
  if (address.origin !== origin || address.pathname.startsWith('//')) return null
  return address.pathname === '/login' ? null : `${address.pathname}${address.search}${address.hash}`
}
