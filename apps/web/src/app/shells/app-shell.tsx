import { Link, Outlet } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { OfflineStrip } from '../../ui/offline-strip.tsx'
import { MantineFrame } from '../mantine-frame.tsx'
import { screens } from '../screens.ts'
import classes from './app-shell.module.css'
import { NotificationsButton } from './notifications-button.tsx'
import { LanguageSelect, ThemeSwitch } from './preferences.tsx'
import publicClasses from './public-shell.module.css'
import { UserMenu } from './user-menu.tsx'
import { Wordmark } from './wordmark.tsx'

/** The frame of signed-in pages: a bar with the app's name and the person's menu, and all the room below it. */
export function AppShell() {
  const { t } = useText()
  const me = useMe()
  const { demo: onDemo } = useSettings()
  const entries = screens.filter(
    ({ menu, roles, demo }) => menu && (!demo || onDemo) && (!roles || (me && roles.includes(me.usertype))),
  )
  return (
    <MantineFrame>
      <div className={classes.shell}>
        <a href="#content" className={publicClasses.skip}>
          {t('common.skip_to_content')}
        </a>
        <header className={classes.bar}>
          <Link to="/" className={classes.logo}>
            <Wordmark />
          </Link>
          <nav className={classes.links} aria-label={t('common.main_menu')}>
            {entries.map(({ path, menu }) => (
              <Link key={path} to={path} className={classes.link} activeOptions={{ exact: path === '/' }}>
                {t(menu ?? '')}
              </Link>
            ))}
          </nav>
          <div className={classes.tools}>
            <span className={classes.wideOnly}>
              <LanguageSelect />
              <ThemeSwitch />
            </span>
            {me ? <NotificationsButton /> : null}
            {me ? <UserMenu me={me} entries={entries} /> : null}
          </div>
        </header>
        <OfflineStrip />
        <main id="content" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </MantineFrame>
  )
}
