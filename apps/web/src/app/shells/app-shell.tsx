import type { Me } from '@hansom/contract/users'
import { IconLayoutSidebar, IconMenu2 } from '@tabler/icons-react'
import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useConnection } from '../../lib/live.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { useMedia } from '../../lib/use-media.ts'
import { useStoredState } from '../../lib/use-stored-state.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { NoticeStrip } from '../../ui/page-states.tsx'
import { entriesOf, type MenuEntry, type MenuSection, menuOf } from '../menu.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { screens } from '../screens.ts'
import frame from './app-shell.module.css'
import { NotificationsButton } from './notifications-button.tsx'
import { LanguageSelect, ThemeSwitch } from './preferences.tsx'
import publicClasses from './public-shell.module.css'
import { Wordmark } from './public-shell.tsx'
import { SideMenu } from './side-menu.tsx'
import { UserMenu } from './user-menu.tsx'

/** The shell of signed-in pages: a side menu for admins, a top bar for riders and drivers. */
export function AppShell() {
  const me = useMe()
  const { demo } = useSettings()
  const isAdmin = me?.usertype === 'admin' || me?.usertype === 'fleetadmin'
  const menu = me ? menuOf(screens, me.usertype, demo) : []
  return me && isAdmin ? <AdminShell me={me} menu={menu} /> : <TravellerShell me={me} menu={menu} />
}

interface Props {
  me: Me | null
  menu: readonly (MenuEntry | MenuSection)[]
}

/** The shell for riders and drivers: their few pages are in a bar, or in the account drawer on a phone. */
function TravellerShell({ me, menu }: Props) {
  const { t } = useText()
  const entries = entriesOf(menu)
  return (
    <div className={frame.shell}>
      <a href="#content" className={publicClasses.skip}>
        {t('common.skip_to_content')}
      </a>
      <header className={frame.bar}>
        <Link to="/" className={frame.logo}>
          <Wordmark />
        </Link>
        <nav className={frame.links} aria-label={t('common.main_menu')}>
          {entries.map(({ path, label }) => (
            <Link key={path} to={path} className={frame.link} activeOptions={{ exact: path === '/' }}>
              {t(label)}
            </Link>
          ))}
        </nav>
        <div className={frame.tools}>
          {me ? <PaletteButton uid={me.uid} pages={entries} /> : null}
          <span className={frame.wideOnly}>
            <LanguageSelect />
            <ThemeSwitch />
          </span>
          {me ? <NotificationsButton /> : null}
          {me ? <UserMenu me={me} entries={entries} /> : null}
        </div>
      </header>
      <OfflineStrip />
      <main id="content" className={frame.main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

interface AdminShellProps {
  me: Me
  menu: readonly (MenuEntry | MenuSection)[]
}

const menuId = 'side-menu'
const menuWidth = 240
const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean'

/** The admin shell: the menu is at the side, or in a drawer on narrow screens. */
function AdminShell({ me, menu }: AdminShellProps) {
  const { t } = useText()
  const wide = useMedia('(min-width: 1081px)')
  const [shown, setShown] = useStoredState('hansom-menu-shown', true, isBoolean)
  const [drawer, setDrawer] = useState(false)
  const pages = entriesOf(menu)
  const account = pages.filter(({ path }) => path === '/profile')
  return (
    <div className={frame.shell}>
      <a href="#content" className={publicClasses.skip}>
        {t('common.skip_to_content')}
      </a>
      <header className={`${frame.bar} ${frame.adminBar}`}>
        {wide ? (
          <Button
            variant="quiet"
            size="icon"
            aria-label={t(shown ? 'menu.hide' : 'menu.show')}
            aria-expanded={shown}
            aria-controls={shown ? menuId : undefined}
            onClick={() => setShown(!shown)}
          >
            <IconLayoutSidebar size={22} stroke={1.7} className={frame.mirrored} aria-hidden />
          </Button>
        ) : (
          <Button
            variant="quiet"
            size="icon"
            aria-label={t('menu.open')}
            aria-haspopup="dialog"
            onClick={() => setDrawer(true)}
          >
            <IconMenu2 size={22} stroke={1.7} aria-hidden />
          </Button>
        )}
        <Link to="/dashboard" className={frame.logo}>
          <Wordmark />
        </Link>
        <div className={frame.tools}>
          <PaletteButton uid={me.uid} pages={pages} />
          <span className={frame.wideOnly}>
            <LanguageSelect />
            <ThemeSwitch />
          </span>
          <NotificationsButton />
          <UserMenu me={me} entries={account} />
        </div>
      </header>
      <OfflineStrip />
      <div className={frame.body}>
        {wide && shown ? (
          <div id={menuId} className={frame.side} style={{ inlineSize: menuWidth }}>
            <SideMenu menu={menu} />
          </div>
        ) : null}
        <main id="content" className={`${frame.main} ${frame.adminMain}`} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Drawer
        open={drawer && !wide}
        onClose={() => setDrawer(false)}
        label={t('common.menu')}
        width={menuWidth}
        side="start"
      >
        <SideMenu menu={menu} onFollow={() => setDrawer(false)} />
        <div className={frame.preferences}>
          <LanguageSelect />
          <ThemeSwitch />
        </div>
      </Drawer>
    </div>
  )
}

/** Shows that the device is offline or that the app is reconnecting. */
function OfflineStrip() {
  const { t } = useText()
  const connection = useConnection()
  return (
    <NoticeStrip shown={connection !== 'good'}>
      {t(connection === 'offline' ? 'common.offline' : 'common.reconnecting')}
    </NoticeStrip>
  )
}
