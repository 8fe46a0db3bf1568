import type { Me } from '@hansom/contract/users'
import { useNavigate, useRouter } from '@tanstack/react-router'

/** Leads a person to where the role begins: riders to booking, drivers to their trips, admins to the dashboard. */
export function useGoHome(): (me: Me | null) => Promise<void> {
  const navigate = useNavigate()
  const router = useRouter()
  return async (me) => {
    const hasDashboard = '/app/dashboard' in router.routesById
    const admin = me?.usertype === 'admin' || me?.usertype === 'fleetadmin'
    const to = !me || me.usertype === 'rider' ? '/' : admin && hasDashboard ? '/dashboard' : '/bookings'
    await navigate({ to, replace: true })
  }
}
