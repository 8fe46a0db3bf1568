import { IconBrandFacebook, IconBrandInstagram, IconBrandX, IconMenu2 } from '@tabler/icons-react'
import { Link, Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { useDeviceOffline } from '../../lib/use-device-offline.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { NoticeStrip } from '../../ui/page-states.tsx'
import { LanguageSelect, ThemeSwitch } from './preferences.tsx'
import classes from './public-shell.module.css'

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
      <Link to={me ? '/bookings' : '/login'} className={classes.link} onClick={onFollow}>
        {t(me ? 'common.my_account' : 'common.login_signup')}
      </Link>
    </>
  )
}

/** The header of the public pages; dark once the page is scrolled. On a phone its links are in a drawer. */
function SiteHeader() {
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

/** The footer of the public pages. Social links appear only if the settings define them. */
function SiteFooter() {
  const { t } = useText()
  const settings = useSettings()
  const social = [
    { name: 'Facebook', href: settings.FacebookHandle, Icon: IconBrandFacebook },
    { name: 'Twitter', href: settings.TwitterHandle, Icon: IconBrandX },
    { name: 'Instagram', href: settings.InstagramHandle, Icon: IconBrandInstagram },
  ].filter(({ href }) => /^https?:\/\//.test(href))
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <Wordmark />
        <nav className={classes.footerLinks} aria-label={t('landing.footer_menu')}>
          <Link to="/about-us">{t('common.about')}</Link>
          <Link to="/privacy-policy">{t('common.privacy')}</Link>
          {/^https?:\/\//.test(settings.CompanyTerms) ? (
            <a href={settings.CompanyTerms} rel="noreferrer">
              {t('static.terms')}
            </a>
          ) : null}
        </nav>
        {social.length > 0 ? (
          <ul className={classes.social}>
            {social.map(({ name, href, Icon }) => (
              <li key={name}>
                <a href={href} rel="noreferrer" target="_blank" aria-label={name}>
                  <Icon size={22} stroke={1.6} aria-hidden />
                </a>
              </li>
            ))}
          </ul>
        ) : null}
        <p className={classes.company}>
          <bdi>{settings.CompanyName}</bdi>
        </p>
      </div>
    </footer>
  )
}

/** The logo (a cab's wheel and its lamp) with the app's name. */
export function Wordmark() {
  const { appName } = useSettings()
  return (
    <span className={classes.wordmark}>
      <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden>
        <circle cx="14" cy="18" r="11" fill="none" stroke="currentColor" strokeWidth="3" />
        <path
          d="M14 7v22M3 18h22M6.2 10.2l15.6 15.6M21.8 10.2 6.2 25.8"
          stroke="currentColor"
          strokeWidth="1.5"
          opacity="0.55"
        />
        <circle cx="14" cy="18" r="3" fill="currentColor" />
        <circle cx="26" cy="6.5" r="4.5" fill="var(--h-accent)" />
      </svg>
      <bdi>{appName}</bdi>
    </span>
  )
}
