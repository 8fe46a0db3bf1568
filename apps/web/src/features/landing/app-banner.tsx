import { IconBrandApple, IconBrandGooglePlay } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import classes from './app-banner.module.css'

/** Promotes the mobile app, with links to the configured stores. */
export function AppBanner() {
  const { t } = useText()
  const { appName, category, AppleStoreLink, PlayStoreLink } = useSettings()
  const stores = [
    { name: 'App Store', href: AppleStoreLink, Icon: IconBrandApple },
    { name: 'Google Play', href: PlayStoreLink, Icon: IconBrandGooglePlay },
  ].filter(({ href }) => /^https?:\/\//.test(href))
  return (
    <section className={classes.banner} data-category={category} aria-labelledby="app-banner-title">
      <div className={classes.inner}>
        <div className={classes.words}>
          <h2 id="app-banner-title" className={classes.title}>
            {t('landing.app_title', { appName })}
          </h2>
          <p className={classes.text}>{t(stores.length > 0 ? 'landing.app_text' : 'landing.app_text_web')}</p>
          {stores.length > 0 ? (
            <ul className={classes.stores}>
              {stores.map(({ name, href, Icon }) => (
                <li key={name}>
                  <a href={href} target="_blank" rel="noreferrer">
                    <Icon size={26} stroke={1.6} aria-hidden />
                    <span>
                      <small>{t('landing.get_it_on')}</small>
                      <bdi dir="ltr">{name}</bdi>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          ) : null}
        </div>
        <Phone />
      </div>
    </section>
  )
}

/** Illustration of a phone showing a trip. */
function Phone() {
  return (
    <svg viewBox="0 0 260 330" className={classes.phone} aria-hidden>
      <rect x="6" y="6" width="248" height="500" rx="40" className={classes.body} />
      <clipPath id="phone-screen">
        <rect x="16" y="16" width="228" height="480" rx="31" />
      </clipPath>
      <g clipPath="url(#phone-screen)">
        <rect x="16" y="16" width="228" height="480" className={classes.ground} />
        <path className={classes.water} d="M16 16h228v52c-40 26-70-6-118 14S60 70 16 92z" />
        <path
          className={classes.roads}
          d="M0 150l260-46M0 214l260-46M0 278l260-46M56 90l44 240M120 80l44 250M184 66l44 250"
        />
        <path className={classes.way} d="M82 262l-13-72 64-11-10-56 64-12" />
        <circle cx="82" cy="262" r="8" className={classes.start} />
        <rect x="178" y="102" width="17" height="17" rx="4" className={classes.end} />
        <g transform="translate(101 184) rotate(80)">
          <rect x="-8" y="-15" width="16" height="30" rx="6" className={classes.car} />
        </g>
        <rect x="16" y="238" width="228" height="120" rx="22" className={classes.sheet} />
        <rect x="36" y="260" width="92" height="13" rx="6.500" className={classes.ink} />
        <rect x="36" y="283" width="136" height="9" rx="4.500" className={classes.faint} />
        <rect x="196" y="258" width="30" height="30" rx="15" className={classes.lamp} />
        <rect x="36" y="308" width="188" height="40" rx="12" className={classes.lamp} />
      </g>
    </svg>
  )
}
