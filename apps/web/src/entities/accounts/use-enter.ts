import type { Me } from '@hansom/contract/users'
import { mayOpen } from '@hansom/domain/access/screens'
import { useNavigate } from '@tanstack/react-router'
import { useGoHome } from './use-go-home.ts'
import { useAskedFor } from './use-asked-for.ts'

/** Redirects after sign-in to the requested page, or to the role's start page if the user may not open it. */
export function useEnter(): (me: Me | null) => Promise<void> {
  const navigate = useNavigate()
  const goHome = useGoHome()
  const address = useAskedFor()
  return async (me) => {
    const path = address?.split(/[?#]/)[0] ?? ''
    if (!address || !mayOpen(path, me?.usertype ?? null)) return goHome(me)
    await navigate({ href: address, replace: true })
  }
}
