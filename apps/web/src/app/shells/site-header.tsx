import { IconMenu2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { LanguageSelect, ThemeSwitch } from './preferences.tsx'
import classes from './site-header.module.css'
import { Wordmark } from './wordmark.tsx'

/** Scroll offset at which the header changes its color, px. */
const colourChangeAt = 400

function useScrolledPast(px: number): boolean {
  const [past, setPast] = useState(false)
  useEffect(() => {
    const look = () => setPast(scrollY > px)
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [px])
  return past
}

function HeaderLinks({ onFollow }: { onFollow?: (() => void) | undefined }) {
  const { t } = useText()
  const me = useMe()
  return (
    <>
      <Link to="/" className={classes.link} onClick={onFollow} activeOptions={{ exact: true }}>
        {t('common.home')}
      </Link>
      <Link to="/about-us" className={classes.link} onClick={onFollow}>
        {t('common.about')}
      </Link>
      <Link
        to={me ? '/bookings' : '/login'}
        className={`${classes.link} ${classes.account}`}
        onClick={onFollow}
      >
        {t(me ? 'common.my_account' : 'common.login_signup')}
      </Link>
    </>
  )
}

/** The header of the public pages; dark once the page is scrolled. On a phone its links are in a drawer. */
export function SiteHeader() {
  const { t } = useText()
  const scrolled = useScrolledPast(colourChangeAt)
  const [drawer, setDrawer] = useState(false)
  return (
    <header className={classes.header} data-scrolled={scrolled || undefined}>
      <div className={classes.bar}>
        <Link to="/" className={classes.logo}>
          <Wordmark />
        </Link>
        <nav className={classes.links} aria-label={t('common.main_menu')}>
          <HeaderLinks />
        </nav>
        <div className={classes.tools}>
          <span className={classes.preferences}>
            <LanguageSelect />
            <ThemeSwitch />
          </span>
          <Button
            variant="quiet"
            size="icon"
            className={classes.opener}
            aria-label={t('common.menu')}
            aria-haspopup="dialog"
            onClick={() => setDrawer(true)}
          >
            <IconMenu2 size={22} aria-hidden />
          </Button>
        </div>
      </div>
      <Drawer open={drawer} onClose={() => setDrawer(false)} label={t('common.menu')} width={260}>
        <nav className={classes.drawerLinks} aria-label={t('common.main_menu')}>
          <HeaderLinks onFollow={() => setDrawer(false)} />
        </nav>
        <div className={classes.drawerPreferences}>
          <LanguageSelect />
          <ThemeSwitch />
        </div>
      </Drawer>
    </header>
  )
}
