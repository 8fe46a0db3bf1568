import type { Settings } from '../settings/settings.ts'
import type { ActorRole } from '../users/roles.ts'

/** False for riders and admins while critical edits are off. Drivers may always cancel. */
export function mayCancelNow(actor: ActorRole, settings: Pick<Settings, 'AllowCriticalEditsAdmin'>): boolean {
  return settings.AllowCriticalEditsAdmin || (actor !== 'rider' && actor !== 'admin')
}
