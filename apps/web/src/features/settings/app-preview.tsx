import { checkValue, tidyValues } from '@hansom/domain/settings/check-values'
import { settingFields, type SettingName } from '@hansom/domain/settings/fields'
import {
  IconBrandApple,
  IconBrandFacebook,
  IconBrandGooglePlay,
  IconBrandInstagram,
  IconBrandX,
  IconMail,
} from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { Section } from './section.tsx'
import classes from './app-preview.module.css'
import type { SettingsForm } from './use-settings-form.ts'

const stores = [
  { name: 'AppleStoreLink', label: 'App Store', Icon: IconBrandApple },
  { name: 'PlayStoreLink', label: 'Google Play', Icon: IconBrandGooglePlay },
] as const
const social = [
  { name: 'FacebookHandle', label: 'Facebook', Icon: IconBrandFacebook },
  { name: 'TwitterHandle', label: 'X', Icon: IconBrandX },
  { name: 'InstagramHandle', label: 'Instagram', Icon: IconBrandInstagram },
] as const

/** The address that a field leads to as it is typed; null for none, or for one that would be refused. */
function addressOf(form: SettingsForm, name: SettingName): string | null {
  const tidy = tidyValues({ [name]: form.shown(name) })[name]
  if (typeof tidy !== 'string' || tidy === '' || settingFields[name].kind === 'flag') return null
  return checkValue(name, tidy) === null ? tidy : null
}

/** How the names and links look in their places, as they are typed. */
export function AppPreview({ form }: { form: SettingsForm }) {
  const { t } = useText()
  const appName = String(form.shown('appName')).trim()
  const company = String(form.shown('CompanyName')).trim()
  const email = addressOf(form, 'contact_email')
  const withAddress = <Row extends { name: SettingName }>(rows: readonly Row[]) =>
    rows.flatMap((row) => {
      const href = addressOf(form, row.name)
      return href === null ? [] : [{ ...row, href }]
    })
  const storeLinks = withAddress(stores)
  const socialLinks = withAddress(social)
  return (
    <Section id="preview" title={t('settings.preview')}>
      <dl className={classes.preview}>
        <div>
          <dt>{t('settings.preview_bar')}</dt>
          <dd className={classes.bar}>
            <bdi>{appName || '\u00a0'}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('settings.preview_banner')}</dt>
          <dd className={classes.links}>
            {storeLinks.length === 0 ? <span>{t('settings.preview_store_none')}</span> : null}
            {storeLinks.map(({ name, label, href, Icon }) => (
              <a key={name} href={href} target="_blank" rel="noreferrer" className={classes.store}>
                <Icon size={22} stroke={1.6} aria-hidden />
                <span>
                  <bdi dir="ltr">{label}</bdi>
                  <bdi dir="ltr" className={classes.address}>
                    {shortened(href)}
                  </bdi>
                </span>
              </a>
            ))}
          </dd>
        </div>
        <div>
          <dt>{t('settings.preview_footer')}</dt>
          <dd className={classes.links}>
            {socialLinks.length === 0 ? <span>{t('settings.preview_none')}</span> : null}
            {socialLinks.map(({ name, label, href, Icon }) => (
              <a key={name} href={href} target="_blank" rel="noreferrer">
                <Icon size={20} stroke={1.6} aria-hidden />
                <VisuallyHidden>{label}</VisuallyHidden>
                <bdi dir="ltr" className={classes.address}>
                  {shortened(href)}
                </bdi>
              </a>
            ))}
            <bdi className={classes.company}>{company || appName}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('settings.preview_contact')}</dt>
          <dd className={classes.links}>
            {email === null ? (
              <span>{t('settings.preview_none')}</span>
            ) : (
              <a href={`mailto:${email}`}>
                <IconMail size={20} stroke={1.6} aria-hidden />
                <bdi dir="ltr" className={classes.address}>
                  {email}
                </bdi>
              </a>
            )}
          </dd>
        </div>
      </dl>
    </Section>
  )
}

const shortened = (href: string) => href.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
