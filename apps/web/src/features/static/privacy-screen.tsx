import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { StaticPage, StaticSection } from './static-page.tsx'

const sections = ['kept', 'location', 'shared', 'long', 'rights'] as const

/** Privacy policy: which data is stored, why, and whom to contact. */
export function PrivacyScreen() {
  const { t } = useText()
  const { appName, CompanyName, contact_email } = useSettings()
  const names = { appName, company: CompanyName || appName }
  return (
    <StaticPage title={t('static.privacy_title')} lead={t('static.privacy_lead', names)}>
      {sections.map((section) => (
        <StaticSection key={section} title={t(`static.privacy_${section}`)}>
          {t(`static.privacy_${section}_text`, names)}
        </StaticSection>
      ))}
      {contact_email ? (
        <StaticSection title={t('static.contact')}>
          <a href={`mailto:${contact_email}`}>
            <bdi dir="ltr">{contact_email}</bdi>
          </a>
        </StaticSection>
      ) : null}
    </StaticPage>
  )
}
