import { Outlet } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import classes from './public-shell.module.css'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'

/** The frame of the public pages. */
export function PublicShell() {
  const { t } = useText()
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('common.skip_to_content')}
      </a>
      <SiteHeader />
      <main id="content" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <SiteFooter />
    </div>
  )
}
