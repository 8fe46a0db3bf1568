import type { ReactNode } from 'react'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { outsideMapHost, useSettings } from '../../lib/settings.ts'
import classes from './static-screens.module.css'

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

const sections = [
  'kept',
  'location',
  'safety',
  'contacts',
  'shared',
  'chat',
  'messages',
  'long',
  'rights',
] as const

/** Privacy policy: which data is stored, why, and whom to contact. */
export function PrivacyScreen() {
  const { t } = useText()
  const settings = useSettings()
  const { appName, CompanyName, contact_email, mapServices, callService } = settings
  const format = useFormat()
  const services = format.list(mapServices.map(({ name }) => isolated(name)))
  const mapHost = outsideMapHost(settings)
  const names = { appName, company: CompanyName || appName }
  return (
    <StaticPage title={t('static.privacy_title')} lead={t('static.privacy_lead', names)}>
      {sections.map((section) => (
        <StaticSection key={section} title={t(`static.privacy_${section}`)}>
          {t(`static.privacy_${section}_text`, names)}
          {section === 'location' && mapServices.length > 0 ? (
            <> {t('static.privacy_map_services', { services })}</>
          ) : null}
          {section === 'location' && mapHost ? (
            <> {t('static.privacy_base_map', { host: isolated(mapHost) })}</>
          ) : null}
          {section === 'shared' && callService ? (
            <> {t('static.privacy_calls', { service: isolated(callService) })}</>
          ) : null}
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

/** A text page: heading, lead and sections. */
function StaticPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <article className={classes.page}>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.lead}>{lead}</p>
      {children}
    </article>
  )
}

/** A section of a text page. */
function StaticSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      <p>{children}</p>
    </section>
  )
}
