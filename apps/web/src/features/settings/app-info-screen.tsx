import { fieldsOf } from '@hansom/domain/settings/fields'
import { useText } from '../../lib/i18n.ts'
import { AppPreview } from './app-preview.tsx'
import { Section } from './section.tsx'
import { SettingInput } from './setting-input.tsx'
import classes from './settings-screen.module.css'
import { SettingsPage } from './settings-page.tsx'

const sections = ['names', 'links', 'contact'] as const

/** What the service is called, where it is found, and how it looks with that. */
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
