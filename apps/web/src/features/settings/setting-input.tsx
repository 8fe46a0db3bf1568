import { type SettingField, settingFields, type SettingName } from '@hansom/domain/settings/fields'
import { useText } from '../../lib/i18n.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useCountries } from '../../ui/use-countries.ts'
import classes from './settings-screen.module.css'
import { isNumberField, numberTyped } from './typed-values.ts'
import { useFieldWords } from './use-field-words.ts'
import type { SettingsForm } from './use-settings-form.ts'

interface Props {
  name: SettingName
  form: SettingsForm
  /** Said instead of the field's own hint. */
  hint?: string | undefined
}

/** One field of the settings, as its kind is entered. */
export function SettingInput({ name, form, hint }: Props) {
  const words = useFieldWords(form)
  const field: SettingField = settingFields[name]
  const label = words.label(name)
  const common = { label, name, hint: hint ?? words.hint(name), error: form.problems[name] }
  const shown = form.shown(name)
  if (typeof shown === 'boolean') {
    return <SwitchField {...common} checked={shown} onChange={(checked) => form.change(name, checked)} />
  }
  const select = { ...common, value: shown, onChange: (value: string) => form.change(name, value) }
  if (field.kind === 'country') return <CountrySelect {...select} optional={field.optional} />
  if (field.kind === 'timezone') return <TimezoneSelect {...select} />
  const isNumber = isNumberField(name)
  const unit = words.unit(name)
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
  hint: string | undefined
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
