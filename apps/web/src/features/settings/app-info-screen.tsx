import { checkValue, tidyValues } from '@hansom/domain/settings/check-values'
import { fieldsOf, type SettingName, settingFields } from '@hansom/domain/settings/fields'
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
import preview from './app-preview.module.css'
import { SettingInput } from './setting-input.tsx'
import { Section, SettingsPage } from './settings-page.tsx'
import classes from './settings-screen.module.css'
import type { SettingsForm } from './use-settings-form.ts'

const sections = ['names', 'links', 'contact'] as const

/** The names, links and contacts of the service, with a preview. */
export function AppInfoScreen() {
  const { t } = useText()
  return (
    <SettingsPage
      title={t('settings.appinfo_title')}
      lead={t('settings.appinfo_lead')}
      sections={[
        ...sections.map((id) => ({ id, title: t(`settings.section_${id}`) })),
        { id: 'preview', title: t('settings.preview') },
      ]}
    >
      {(form) => (
        <>
          {sections.map((id) => (
            <Section
              key={id}
              id={id}
              title={t(`settings.section_${id}`)}
              text={t(`settings.section_${id}_text`)}
            >
              <div className={classes.fields}>
                {fieldsOf(id, form.saved.category).map((name) => (
                  <SettingInput key={name} name={name} form={form} />
                ))}
              </div>
            </Section>
          ))}
          <AppPreview form={form} />
        </>
      )}
    </SettingsPage>
  )
}

const stores = [
  { name: 'AppleStoreLink', label: 'App Store', Icon: IconBrandApple },
  { name: 'PlayStoreLink', label: 'Google Play', Icon: IconBrandGooglePlay },
] as const
const social = [
  { name: 'FacebookHandle', label: 'Facebook', Icon: IconBrandFacebook },
  { name: 'TwitterHandle', label: 'X', Icon: IconBrandX },
  { name: 'InstagramHandle', label: 'Instagram', Icon: IconBrandInstagram },
] as const

/** The URL that a field links to as it is typed; null if it is empty or invalid. */
function urlOf(form: SettingsForm, name: SettingName): string | null {
  const tidy = tidyValues({ [name]: form.shown(name) })[name]
  if (typeof tidy !== 'string' || tidy === '' || settingFields[name].kind === 'flag') return null
  return checkValue(name, tidy) === null ? tidy : null
}

/** The names and links in their places, as they are typed. */
function AppPreview({ form }: { form: SettingsForm }) {
  const { t } = useText()
  const appName = String(form.shown('appName')).trim()
  const company = String(form.shown('CompanyName')).trim()
  const email = urlOf(form, 'contact_email')
  const withUrl = <Row extends { name: SettingName }>(rows: readonly Row[]) =>
    rows.flatMap((row) => {
      const href = urlOf(form, row.name)
      return href === null ? [] : [{ ...row, href }]
    })
  const storeLinks = withUrl(stores)
  const socialLinks = withUrl(social)
  return (
    <Section id="preview" title={t('settings.preview')}>
      <dl className={preview.preview}>
        <div>
          <dt>{t('settings.preview_bar')}</dt>
          <dd className={preview.bar}>
            <bdi>{appName || '\u00a0'}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('settings.preview_banner')}</dt>
          <dd className={preview.links}>
            {storeLinks.length === 0 ? <span>{t('settings.preview_store_none')}</span> : null}
            {storeLinks.map(({ name, label, href, Icon }) => (
              <a key={name} href={href} target="_blank" rel="noreferrer" className={preview.store}>
                <Icon size={22} stroke={1.6} aria-hidden />
                <span>
                  <bdi dir="ltr">{label}</bdi>
                  <bdi dir="ltr" className={preview.address}>
                    {shortened(href)}
                  </bdi>
                </span>
              </a>
            ))}
          </dd>
        </div>
        <div>
          <dt>{t('settings.preview_footer')}</dt>
          <dd className={preview.links}>
            {socialLinks.length === 0 ? <span>{t('settings.preview_none')}</span> : null}
            {socialLinks.map(({ name, label, href, Icon }) => (
              <a key={name} href={href} target="_blank" rel="noreferrer">
                <Icon size={20} stroke={1.6} aria-hidden />
                <VisuallyHidden>{label}</VisuallyHidden>
                <bdi dir="ltr" className={preview.address}>
                  {shortened(href)}
                </bdi>
              </a>
            ))}
            <bdi className={preview.company}>{company || appName}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('settings.preview_contact')}</dt>
          <dd className={preview.links}>
            {email === null ? (
              <span>{t('settings.preview_none')}</span>
            ) : (
              <a href={`mailto:${email}`}>
                <IconMail size={20} stroke={1.6} aria-hidden />
                <bdi dir="ltr" className={preview.address}>
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
