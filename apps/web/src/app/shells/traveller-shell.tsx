import type { Me } from '@hansom/contract/users'
import { Link, Outlet } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import { OfflineStrip } from '../../ui/offline-strip.tsx'
import { entriesOf, type MenuEntry, type MenuSection } from '../menu.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { NotificationsButton } from './notifications-button.tsx'
import { LanguageSelect, ThemeSwitch } from './preferences.tsx'
import publicClasses from './public-shell.module.css'
import frame from './shell-frame.module.css'
import classes from './traveller-shell.module.css'
import { UserMenu } from './user-menu.tsx'
import { Wordmark } from './wordmark.tsx'

interface Props {
  me: Me | null
  menu: readonly (MenuEntry | MenuSection)[]
}

/** The shell for riders and drivers: their few pages are in a bar, or in the account drawer on a phone. */
export function TravellerShell({ me, menu }: Props) {
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
        <nav className={classes.links} aria-label={t('common.main_menu')}>
          {entries.map(({ path, label }) => (
            <Link key={path} to={path} className={classes.link} activeOptions={{ exact: path === '/' }}>
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
