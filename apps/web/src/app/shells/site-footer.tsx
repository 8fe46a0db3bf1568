import { IconBrandFacebook, IconBrandInstagram, IconBrandX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import classes from './site-footer.module.css'
import { Wordmark } from './wordmark.tsx'

/** The footer of the public pages. Social links appear only if the settings define them. */
export function SiteFooter() {
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
        <nav className={classes.links} aria-label={t('landing.footer_menu')}>
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
