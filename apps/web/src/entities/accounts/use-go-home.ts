import type { Me } from '@hansom/contract/users'
import { homeOf } from '@hansom/domain/access/screens'
import { useNavigate } from '@tanstack/react-router'

/** Opens the role's start page: booking for riders, trips for drivers, the dashboard for admins. */
export function useGoHome(): (me: Me | null) => Promise<void> {
  const navigate = useNavigate()
  return async (me) => {
    await navigate({ to: me ? homeOf[me.usertype] : '/', replace: true })
  }
}
