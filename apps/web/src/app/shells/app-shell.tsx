import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { menuOf } from '../menu.ts'
import { screens } from '../screens.ts'
import { AdminShell } from './admin-shell.tsx'
import { TravellerShell } from './traveller-shell.tsx'

/** The shell of signed-in pages: a side menu for admins, a top bar for riders and drivers. */
export function AppShell() {
  const me = useMe()
  const { demo } = useSettings()
  const office = me?.usertype === 'admin' || me?.usertype === 'fleetadmin'
  const menu = me ? menuOf(screens, me.usertype, demo) : []
  return me && office ? <AdminShell me={me} menu={menu} /> : <TravellerShell me={me} menu={menu} />
}
