import { fieldsOf, type SettingName, settingFields } from '@hansom/domain/settings/fields'
import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { MapServicesSection } from './map-services-section.tsx'
import { MessageUsage } from './message-usage.tsx'
import { ProvidersSection } from './providers-section.tsx'
import { SettingInput } from './setting-input.tsx'
import { Section, SettingsPage } from './settings-page.tsx'
import classes from './settings-screen.module.css'
import type { SettingsForm } from './use-settings-form.ts'

const sections = [
  'currency',
  'security',
  'safety',
  'referral',
  'advanced',
  'driver',
  'delivery',
  'receipts',
] as const

/** The rules of the service: currency, sign-in, bonus, apps, dispatch; and the outside services. */
export function SettingsScreen() {
  const { t } = useText()
  const { category } = useSettings()
  // Nothing of a section that only the other category has.
  const shown = sections.filter((id) => fieldsOf(id, category).length > 0)
  const titles = shown.map((id) => ({ id, title: t(`settings.section_${id}`) }))
  return (
    <SettingsPage
      title={t('settings.title')}
      lead={t('settings.lead')}
      sections={[
        ...titles,
        { id: 'maps', title: t('settings.maps') },
        { id: 'messages', title: t('settings.usage') },
        { id: 'providers', title: t('settings.providers') },
      ]}
    >
      {(form) => (
        <>
          {shown.map((id) => (
            <Section
              key={id}
              id={id}
              title={t(`settings.section_${id}`)}
              text={t(`settings.section_${id}_text`)}
            >
              <Fields names={fieldsOf(id, form.saved.category)} form={form} />
              {id === 'advanced' ? (
                <p className={classes.fact}>{t(`settings.category_${form.saved.category}`)}</p>
              ) : null}
            </Section>
          ))}
          {form.saved.licensed ? (
            <Section id="licence" title={t('settings.section_licence')}>
              {form.saved.licenceRefused ? <Notice tone="bad">{t('settings.licence_refused')}</Notice> : null}
              <TextField
                label={t('settings.license')}
                hint={t('settings.license_text')}
                name="license"
                dir="ltr"
                autoComplete="off"
                spellCheck={false}
                value={form.license}
                onChange={(event) => form.setLicense(event.target.value)}
              />
            </Section>
          ) : null}
          <MapServicesSection />
          <MessageUsage />
          <ProvidersSection />
        </>
      )}
    </SettingsPage>
  )
}

const social: Partial<Record<SettingName, 'facebook' | 'apple'>> = {
  FacebookLoginEnabled: 'facebook',
  AppleLoginEnabled: 'apple',
}

/** Typed fields in two columns, then switches below each other. */
function Fields({ names, form }: { names: readonly SettingName[]; form: SettingsForm }) {
  const { t } = useText()
  const providers = useQuery(orpc.integrations.list.queryOptions()).data
  const isSwitch = (name: SettingName) => settingFields[name].kind === 'flag'
  const typed = names.filter((name) => !isSwitch(name))
  const switches = names.filter(isSwitch)
  const hint = (name: SettingName) => {
    const provider = providers?.find((one) => one.name === social[name])
    return provider && !provider.configured ? t('settings.hint_not_configured') : undefined
  }
  return (
    <>
      {typed.length > 0 ? (
        <div className={classes.fields}>
          {typed.map((name) => (
            <SettingInput key={name} name={name} form={form} />
          ))}
        </div>
      ) : null}
      {switches.length > 0 ? (
        <div className={classes.switches}>
          {switches.map((name) => (
            <SettingInput key={name} name={name} form={form} hint={hint(name)} />
          ))}
        </div>
      ) : null}
    </>
  )
}
