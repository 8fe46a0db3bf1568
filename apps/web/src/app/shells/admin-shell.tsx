import type { Me } from '@hansom/contract/users'
import { IconLayoutSidebar, IconMenu2 } from '@tabler/icons-react'
import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { useToDoName } from '../../entities/alerts/alert-badge.tsx'
import { countsByScreen, useAlertCounts } from '../../entities/alerts/use-alert-counts.ts'
import { useText } from '../../lib/i18n.ts'
import { useMedia } from '../../lib/use-media.ts'
import { useStoredState } from '../../lib/use-stored-state.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { partOnDemand } from '../../ui/lazy-part.tsx'
import { entriesOf, type MenuEntry, type MenuSection } from '../menu.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import frame from './app-shell.module.css'
import { NotificationsButton } from './notifications-button.tsx'
import { OfflineStrip } from './offline-strip.tsx'
import { LanguageSelect, ThemeSwitch } from './preferences.tsx'
import publicClasses from './public-shell.module.css'
import { Wordmark } from './public-shell.tsx'
import { SideMenu } from './side-menu.tsx'
import { ToDoList } from './to-do-list.tsx'
import { UserMenu } from './user-menu.tsx'

interface Props {
  me: Me
  menu: readonly (MenuEntry | MenuSection)[]
}

const AlarmBanner = partOnDemand(
  'alarms',
  async () => (await import('../../entities/safety/alarm-banner.tsx')).AlarmBanner,
)

const menuId = 'side-menu'
const menuWidth = 240
const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean'

/** The admin shell: the menu is at the side, or in a drawer on narrow screens. */
export function AdminShell({ me, menu }: Props) {
  const { t } = useText()
  const wide = useMedia('(min-width: 1081px)')
  const [shown, setShown] = useStoredState('hansom-menu-shown', true, isBoolean)
  const [drawer, setDrawer] = useState(false)
  const pages = entriesOf(menu)
  const toDoName = useToDoName()
  const alerts = useAlertCounts()
  const counts = alerts.data?.counts ?? []
  const toDo = countsByScreen(counts, me.usertype)
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
          <NotificationsButton
            usertype={me.usertype}
            toDo={{
              nameOf: (name) =>
                toDoName(
                  name,
                  counts.reduce((sum, { count }) => sum + count, 0),
                ),
              list: (onFollow) => <ToDoList alerts={alerts} usertype={me.usertype} onFollow={onFollow} />,
            }}
          />
          <UserMenu me={me} entries={account} />
        </div>
      </header>
      <OfflineStrip />
      {counts.some(({ kind }) => kind === 'safety') ? <AlarmBanner /> : null}
      <div className={frame.body}>
        {wide && shown ? (
          <div id={menuId} className={frame.side} style={{ inlineSize: menuWidth }}>
            <SideMenu menu={menu} toDo={toDo} />
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
        <SideMenu menu={menu} toDo={toDo} onFollow={() => setDrawer(false)} />
        <div className={frame.preferences}>
          <LanguageSelect />
          <ThemeSwitch />
        </div>
      </Drawer>
    </div>
  )
}
