import { type Country, countries } from '@hansom/domain/users/countries'
import { useMemo, useState } from 'react'
import { isolated } from '../lib/format.ts'
import { useText } from '../lib/i18n.ts'
import classes from './combobox.module.css'
import { Combobox } from './combobox.tsx'
import { latinDigits } from './latin-digits.ts'
import { TextField } from './text-field.tsx'

/** Keeps "+598" intact in right-to-left text. */
const prefixOf = ({ phone }: Country) => isolated(`+${phone}`)
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Filters countries by the prefix of a word in the name, dial prefix or country code. */
export function matchCountries(all: readonly Country[], typed: string): readonly Country[] {
  const search = folded(latinDigits(typed).trim())
  if (search === '') return all
  const digits = search.replace(/^\+/, '')
  if (/^\d+$/.test(digits)) return all.filter(({ phone }) => phone.startsWith(digits))
  return all.filter(({ code, label }) => {
    const name = folded(label)
    return name.startsWith(search) || name.includes(` ${search}`) || code.toLowerCase() === search
  })
}

interface Props {
  /** ISO 3166 alpha-2. */
  value: string
  onChange: (code: string) => void
  disabled?: boolean | undefined
}

/** Selects a country by name or dial prefix. Text typed without a selection is discarded. */
export function CountryPicker({ value, onChange, disabled = false }: Props) {
  const { t } = useText()
  const all = useCountries()
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const chosen = all.find(({ code }) => code === value)
  const shown = chosen ? `${chosen.label} ${prefixOf(chosen)}` : ''
  if (disabled) return <TextField label={t('login.country')} value={shown} disabled readOnly />

  // Not needed while the list is closed.
  const options = (open ? matchCountries(all, typed ?? '') : []).map((country) => ({
    id: country.code,
    label: country.label,
    detail: prefixOf(country),
  }))
  return (
    <div className={classes.picker}>
      <Combobox
        label={t('login.country')}
        value={typed ?? shown}
        onInput={(text) => {
          // Esc on a closed list would clear the field although a country is selected.
          if (open || text !== '') setTyped(text)
        }}
        options={options}
        onSelect={onChange}
        notice={options.length === 0 ? t('login.no_country') : undefined}
        onOpenChange={(next) => {
          setOpen(next)
          if (!next) setTyped(null)
        }}
      />
    </div>
  )
}

/** All countries with localized names, in the language's order. */
export function useCountries(): readonly Country[] {
  const { language } = useText()
  return useMemo(() => {
    const names = new Intl.DisplayNames(language.langLocale, { type: 'region', fallback: 'none' })
    return countries
      .map((country) => ({ ...country, label: names.of(country.code) ?? country.label }))
      .sort((a, b) => a.label.localeCompare(b.label, language.langLocale))
  }, [language.langLocale])
}
