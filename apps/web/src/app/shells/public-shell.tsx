import { Outlet } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import { useDeviceOffline } from '../../lib/use-device-offline.ts'
import { NoticeStrip } from '../../ui/page-states.tsx'
import classes from './public-shell.module.css'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'

/** The shell of public pages. */
export function PublicShell() {
  const { t } = useText()
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('common.skip_to_content')}
      </a>
      <SiteHeader />
      <NoticeStrip shown={useDeviceOffline()}>{t('common.offline')}</NoticeStrip>
      <main id="content" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <SiteFooter />
    </div>
  )
}
