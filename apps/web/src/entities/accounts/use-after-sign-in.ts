import type { Me } from '@hansom/contract/users'
import { mayOpen } from '@hansom/domain/access/screens'
import { useNavigate } from '@tanstack/react-router'
import { useGoHome } from './use-go-home.ts'
import { useReturnUrl } from './use-return-url.ts'

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
