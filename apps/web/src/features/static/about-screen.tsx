import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { StaticPage, StaticSection } from './static-page.tsx'

/** Who runs the service and how it works. */
export function AboutScreen() {
  const { t } = useText()
  const { appName, CompanyWebsite, contact_email } = useSettings()
  const app = { appName }
  return (
    <StaticPage title={t('static.about_title')} lead={t('static.about_lead', app)}>
      <StaticSection title={t('static.about_riders')}>{t('static.about_riders_text', app)}</StaticSection>
      <StaticSection title={t('static.about_drivers')}>{t('static.about_drivers_text', app)}</StaticSection>
      <StaticSection title={t('static.about_open')}>{t('static.about_open_text', app)}</StaticSection>
      {contact_email ? (
        <StaticSection title={t('static.contact')}>
          <a href={`mailto:${contact_email}`}>
            <bdi dir="ltr">{contact_email}</bdi>
          </a>
        </StaticSection>
      ) : null}
      {/^https?:\/\//.test(CompanyWebsite) ? (
        <StaticSection title={t('static.website')}>
          <a href={CompanyWebsite} rel="noreferrer">
            <bdi dir="ltr">{CompanyWebsite}</bdi>
          </a>
        </StaticSection>
      ) : null}
    </StaticPage>
  )
}
