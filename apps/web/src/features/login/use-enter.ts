import type { Me } from '@hansom/contract/users'
import { mayOpen } from '@hansom/domain/access/screens'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useGoHome } from '../../ui/use-go-home.ts'
import { returnAddress } from './return-address.ts'

/** Leads somebody who has just come in to the page that was asked for, or home where that page is not for them. */
export function useEnter(): (me: Me | null) => Promise<void> {
  const navigate = useNavigate()
  const goHome = useGoHome()
  const { next } = useSearch({ strict: false }) as { next?: unknown }
  return async (me) => {
    const address = returnAddress(next, location.origin)
    const path = address?.split(/[?#]/)[0] ?? ''
    if (!address || !mayOpen(path, me?.usertype ?? null)) return goHome(me)
    await navigate({ href: address, replace: true })
  }
}
