import type { Me } from '@hansom/contract/users'
import { homeOf, mayOpen } from '@hansom/domain/access/screens'
import { useNavigate } from '@tanstack/react-router'
import { useSearchParams } from '../../lib/search-params.ts'

/** Redirects after sign-in to the requested page, or to the role's start page if the user may not open it. */
export function useAfterSignIn(): (me: Me | null) => Promise<void> {
  const navigate = useNavigate()
  const goHome = useGoHome()
  const address = useReturnUrl()
  return async (me) => {
    const path = address?.split(/[?#]/)[0] ?? ''
    if (!address || !mayOpen(path, me?.usertype ?? null)) return goHome(me)
    await navigate({ href: address, replace: true })
  }
}

/** Opens the role's start page: booking for riders, trips for drivers, the dashboard for admins. */
export function useGoHome(): (me: Me | null) => Promise<void> {
  const navigate = useNavigate()
  return async (me) => {
    await navigate({ to: me ? homeOf[me.usertype] : '/', replace: true })
  }
}

/**
 * The page requested before sign-in, as a URL of this site, or null. It is passed as `next` by a page that requires
 * sign-in, and as `from` by another service.
 */
export function useReturnUrl(): string | null {
  const [{ next, from }] = useSearchParams()
  // No URL is known during prerendering.
  return typeof location === 'undefined' ? null : returnUrl(next ?? from, location.origin)
}

let email = ''

/** Remembers the email of a newly created account for the sign-in page; a reload forgets it. */
export function storeNewEmail(made: string): void {
  email = made
}

/** The email of the newly created account, or an empty string. */
export function newEmail(): string {
  return email
}

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
