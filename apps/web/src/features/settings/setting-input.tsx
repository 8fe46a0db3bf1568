import type { Strategy } from '@hansom/domain/dispatch/strategies'
import { type SettingField, type SettingName, settingFields } from '@hansom/domain/settings/fields'
import type { ReactNode } from 'react'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { useCountries } from '../../ui/country-picker.tsx'
import { RangeHint } from '../../ui/range-hint.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import classes from './settings-screen.module.css'
import { isNumberField, numberTyped, type SettingsForm } from './use-settings-form.ts'

interface Props {
  name: SettingName
  form: SettingsForm
  /** Replaces the field's own hint. */
  hint?: ReactNode
}

/** The input of one setting, by its kind. */
export function SettingInput({ name, form, hint }: Props) {
  const texts = useFieldTexts(form)
  const field: SettingField = settingFields[name]
  const label = texts.label(name)
  const error = form.problems[name]
  const text = hint ?? texts.hint(name)
  const common = {
    label,
    name,
    hint:
      error !== undefined && 'from' in field ? (
        <RangeHint from={field.from} to={field.to}>
          {text}
        </RangeHint>
      ) : (
        text
      ),
    error,
  }
  const shown = form.shown(name)
  if (typeof shown === 'boolean') {
    return <SwitchField {...common} checked={shown} onChange={(checked) => form.change(name, checked)} />
  }
  const select = { ...common, value: shown, onChange: (value: string) => form.change(name, value) }
  if (field.kind === 'country') return <CountrySelect {...select} optional={field.optional} />
  if (field.kind === 'choice') return <ChoiceSelect {...select} options={field.options} />
  if (field.kind === 'timezone') return <TimezoneSelect {...select} />
  const isNumber = isNumberField(name)
  const unit = texts.unit(name)
  return (
    <div className={isNumber ? classes.number : undefined}>
      <TextField
        {...common}
        label={
          <>
            {label}
            {unit ? <span className={classes.unit}> ({unit})</span> : null}
          </>
        }
        value={shown}
        disabled={name === 'code' && form.saved.currencyInUse}
        inputMode={isNumber ? 'decimal' : field.kind === 'email' ? 'email' : undefined}
        dir={field.kind === 'text' ? 'auto' : 'ltr'}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => form.change(name, isNumber ? numberTyped(target.value) : target.value)}
      />
    </div>
  )
}

interface SelectProps {
  label: string
  name: string
  hint: ReactNode
  error: string | undefined
  value: string
  onChange: (value: string) => void
}

function CountrySelect({ optional, onChange, ...rest }: SelectProps & { optional: boolean }) {
  const { t } = useText()
  const countries = useCountries()
  return (
    <SelectField {...rest} onChange={(event) => onChange(event.target.value)}>
      {optional ? <option value="">{t('settings.no_limit')}</option> : null}
      {countries.map(({ code, label }) => (
        <option key={code} value={code}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

function ChoiceSelect({ options, onChange, ...rest }: SelectProps & { options: readonly Strategy[] }) {
  const { t } = useText()
  return (
    <SelectField {...rest} onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => (
        <option key={option} value={option}>
          {t(`settings.choice_${option}`)}
        </option>
      ))}
    </SelectField>
  )
}

function TimezoneSelect({ onChange, ...rest }: SelectProps) {
  const known = Intl.supportedValuesOf('timeZone')
  const zones = known.includes(rest.value) ? known : [rest.value, ...known]
  return (
    <SelectField {...rest} dir="ltr" onChange={(event) => onChange(event.target.value)}>
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </SelectField>
  )
}

/** Labels, hints and units of the fields, and values as text. */
export function useFieldTexts(form: Pick<SettingsForm, 'saved' | 'shown'>) {
  const { t, language } = useText()
  const { region } = useSettings()
  const countryName = (code: string) =>
    new Intl.DisplayNames(language.langLocale, { type: 'region' }).of(code) ?? code
  const keyOf = (kind: 'field' | 'hint', name: SettingName) => `settings.${kind}_${name.replace('.', '_')}`
  const textOf = (key: string) => {
    const text = t(key)
    return text === key ? undefined : text
  }
  return {
    label: (name: SettingName) => t(keyOf('field', name)),
    hint: (name: SettingName): ReactNode => {
      if (name === 'code' && form.saved.currencyInUse) return t('settings.hint_code_fixed')
      if (name === 'driverRadius' && Number(form.shown(name)) === 0 && form.shown(name) !== '') {
        return <span className={classes.warning}>{t('settings.hint_driverRadius_zero')}</span>
      }
      const limit = name === 'restrictCountry' ? String(form.shown(name)) : ''
      const others = limit ? region.countries.filter((country) => country !== limit) : []
      if (others.length > 0) {
        const isElsewhere = others.length === region.countries.length
        const hint = isElsewhere ? 'hint_restrictCountry_elsewhere' : 'hint_restrictCountry_others'
        const countries = others.map(countryName).join(', ')
        return <span className={classes.warning}>{t(`settings.${hint}`, { countries })}</span>
      }
      const field: SettingField = settingFields[name]
      return textOf(keyOf('hint', name)) ?? (field.kind === 'handle' ? t('settings.hint_handle') : undefined)
    },
    /** The unit after the label of a number. */
    unit: (name: SettingName) => {
      const { unit }: SettingField = settingFields[name]
      if (unit === undefined) return undefined
      if (unit === 'currency') return isolated(String(form.shown('symbol')))
      if (unit === 'distance')
        return t(form.shown('convert_to_mile') ? 'settings.unit_mi' : 'settings.unit_km')
      return t(`settings.unit_${unit}`)
    },
    /** A value as text. */
    value: (name: SettingName, typed: string | boolean) => {
      if (typeof typed === 'boolean') return t(typed ? 'settings.on' : 'settings.off')
      if (typed === '') return t('settings.empty')
      if (settingFields[name].kind === 'choice') return t(`settings.choice_${typed as Strategy}`)
      if (settingFields[name].kind !== 'country') return typed
      return countryName(typed)
    },
  }
}
