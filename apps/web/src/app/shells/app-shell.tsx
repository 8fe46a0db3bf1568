import type { Me } from '@hansom/contract/users'
import { Link, Outlet } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { entriesOf, type MenuEntry, type MenuSection, menuOf } from '../menu.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { AdminShell, shellForRole } from '../role-parts.ts'
import { screens } from '../screens.ts'
import frame from './app-shell.module.css'
import { NotificationsButton } from './notifications-button.tsx'
import { OfflineStrip } from './offline-strip.tsx'
import { LanguageSelect, ThemeSwitch } from './preferences.tsx'
import publicClasses from './public-shell.module.css'
import { Wordmark } from './public-shell.tsx'
import { UserMenu } from './user-menu.tsx'

/** The shell of signed-in pages: a side menu for admins, a top bar for riders and drivers. */
export function AppShell() {
  const me = useMe()
  const { demo, category } = useSettings()
  const menu = me ? menuOf(screens, me.usertype, demo, category) : []
  return me && shellForRole[me.usertype] ? (
    <AdminShell me={me} menu={menu} />
  ) : (
    <TravellerShell me={me} menu={menu} />
  )
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
          {me ? <NotificationsButton usertype={me.usertype} /> : null}
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
