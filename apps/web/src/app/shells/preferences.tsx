import { languageOfCountry } from '@hansom/domain/languages/find-language'
import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { chooseScheme, type SchemeChoice, useSchemeChoice } from '../../lib/color-scheme.ts'
import { availableLanguages, changeLanguage, orderLanguages, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { errorText } from '../../ui/error-message.tsx'
import classes from './preferences.module.css'

/** Language select: the region's language and the browser's first, each under its own name. */
export function LanguageSelect() {
  const { t, language } = useText()
  const { country } = useSettings()
  // Set after the first render, because the prerendered page does not know the browser's languages.
  const [preferred, setPreferred] = useState<readonly string[]>([])
  useEffect(() => {
    setPreferred([languageOfCountry(country) ?? '', ...navigator.languages])
  }, [country])
  return (
    <label className={classes.language}>
      <IconLanguage size={20} stroke={1.6} aria-hidden />
      <select
        name="language"
        // A value that the browser restores on reload is not a choice.
        autoComplete="off"
        aria-label={t('common.language')}
        value={language.langLocale}
        onChange={(event) => {
          changeLanguage(event.target.value).catch((error: unknown) => announce(errorText(error)))
        }}
      >
        {orderLanguages(availableLanguages(), preferred).map(({ langLocale, langName }) => (
          <option key={langLocale} value={langLocale} lang={langLocale}>
            {langName}
          </option>
        ))}
      </select>
    </label>
  )
}

const nextChoice: Record<SchemeChoice, SchemeChoice> = { system: 'dark', dark: 'light', light: 'system' }
const icons = { system: IconDeviceDesktop, dark: IconMoon, light: IconSun }

/** Cycles through automatic, dark and light. */
export function ThemeSwitch() {
  const { t } = useText()
  const choice = useSchemeChoice()
  const Icon = icons[choice]
  const name = t('common.labeled', { name: t('common.theme'), value: t(`common.theme_${choice}`) })
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={name}
      title={name}
      onClick={() => {
        const next = nextChoice[choice]
        chooseScheme(next)
        announce(t(`common.theme_${next}`))
      }}
      className={classes.theme}
    >
      <Icon size={20} stroke={1.6} aria-hidden />
    </Button>
  )
}
