import { type SettingField, settingFields, type SettingName } from '@hansom/domain/settings/fields'
import { useText } from '../../lib/i18n.ts'
import { isolated } from '../../lib/format.ts'
import type { SettingsForm } from './use-settings-form.ts'

/** The names, hints and units of the fields. */
export function useFieldWords(form: Pick<SettingsForm, 'saved' | 'shown'>) {
  const { t, language } = useText()
  const keyOf = (kind: 'field' | 'hint', name: SettingName) => `settings.${kind}_${name.replace('.', '_')}`
  const said = (key: string) => {
    const words = t(key)
    return words === key ? undefined : words
  }
  return {
    label: (name: SettingName) => t(keyOf('field', name)),
    hint: (name: SettingName) => {
      if (name === 'code' && form.saved.currencyInUse) return t('settings.hint_code_fixed')
      const field: SettingField = settingFields[name]
      return said(keyOf('hint', name)) ?? (field.kind === 'handle' ? t('settings.hint_handle') : undefined)
    },
    /** What stands beside the number. */
    unit: (name: SettingName) => {
      const { unit }: SettingField = settingFields[name]
      if (unit === undefined) return undefined
      if (unit === 'currency') return isolated(String(form.shown('symbol')))
      if (unit === 'distance')
        return t(form.shown('convert_to_mile') ? 'settings.unit_mi' : 'settings.unit_km')
      return t(`settings.unit_${unit}`)
    },
    /** A value in words, for reading. */
    value: (name: SettingName, typed: string | boolean) => {
      if (typeof typed === 'boolean') return t(typed ? 'settings.on' : 'settings.off')
      if (typed === '') return t('settings.empty')
      if (settingFields[name].kind !== 'country') return typed
      return new Intl.DisplayNames(language.langLocale, { type: 'region' }).of(typed) ?? typed
    },
  }
}
