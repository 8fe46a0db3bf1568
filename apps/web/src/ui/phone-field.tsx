import { toE164 } from '@hansom/domain/users/contact'
import { dialPrefix, splitPhone } from '@hansom/domain/users/countries'
import type { ReactNode } from 'react'
import { isolated } from '../lib/format.ts'
import { useText } from '../lib/i18n.ts'
import { useSettings } from '../lib/settings.ts'
import { CountryPicker } from './country-picker.tsx'
import { latinDigits } from './latin-digits.ts'
import classes from './phone-field.module.css'
import { TextField } from './text-field.tsx'

/** A phone number in two parts: `country` is ISO 3166 alpha-2, `mobile` is the typed text. */
export interface PhoneValue {
  country: string
  mobile: string
}

/** The parts in the server's format. */
export function phoneParts({ country, mobile }: PhoneValue): { phoneCode: string; mobile: string } {
  return { phoneCode: dialPrefix(country), mobile: mobile.trim() }
}

/** Resolves a number with an international prefix to its country; null for any other. */
function inCountry({ country, mobile }: PhoneValue): PhoneValue | null {
  if (!/^\s*(\+|00)/.test(mobile)) return null
  const full = toE164('', mobile)
  return full === null ? null : splitPhone(full, country)
}

interface Props {
  value: PhoneValue
  onChange: (value: PhoneValue) => void
  error?: ReactNode
  hint?: ReactNode
  disabled?: boolean
}

/** A phone number: a country picker, if the settings allow other countries, and the digits after the dial prefix. */
export function PhoneField({ value, onChange, error, hint, disabled = false }: Props) {
  const { t } = useText()
  const { AllowCountrySelection } = useSettings()
  const prefix = isolated(`+${dialPrefix(value.country)}`)
  return (
    <div className={classes.phone}>
      {AllowCountrySelection ? (
        <CountryPicker
          value={value.country}
          onChange={(country) => onChange({ ...value, country })}
          disabled={disabled}
        />
      ) : null}
      <TextField
        label={AllowCountrySelection ? t('login.mobile') : t('login.mobile_after', { prefix })}
        name="mobile"
        type="tel"
        inputMode="tel"
        dir="ltr"
        autoComplete={AllowCountrySelection ? 'tel' : 'tel-national'}
        disabled={disabled}
        value={value.mobile}
        onChange={(event) => onChange({ ...value, mobile: latinDigits(event.target.value) })}
        onBlur={() => {
          const recognised = AllowCountrySelection ? inCountry(value) : null
          // A rejected number stays as typed, next to its error.
          if (recognised && !error) onChange(recognised)
        }}
        hint={hint}
        error={error}
      />
    </div>
  )
}
