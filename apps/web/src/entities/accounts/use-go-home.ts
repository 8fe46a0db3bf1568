import type { Me } from '@hansom/contract/users'
import { homeOf } from '@hansom/domain/access/screens'
import { useNavigate } from '@tanstack/react-router'

/** Leads a person to where the role begins: riders to booking, drivers to their trips, the office to the dashboard. */
export function useGoHome(): (me: Me | null) => Promise<void> {
  const navigate = useNavigate()
  return async (me) => {
    await navigate({ to: me ? homeOf[me.usertype] : '/', replace: true })
  }
}
