import {
  IconDeviceDesktop,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSun,
} from '@tabler/icons-react'
import { chooseScheme, type SchemeChoice, useSchemeChoice } from '../../lib/color-scheme.ts'
import { availableLanguages, changeLanguage, useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { errorText } from '../../ui/error-message.tsx'
import type { PaletteItem } from './palette-item.ts'

const schemes = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'system', icon: IconDeviceDesktop },
] as const satisfies { scheme: SchemeChoice; icon: PaletteItem['icon'] }[]

interface Actions {
  leave: () => Promise<void>
  showShortcuts: () => void
}

/** The palette's commands: appearance, language, shortcut list and signing out. */
export function useCommands({ leave, showShortcuts }: Actions): PaletteItem[] {
  const { t, language } = useText()
  const chosen = useSchemeChoice()
  const command = (id: string, icon: PaletteItem['icon'], label: string, run: () => void): PaletteItem => ({
    id: `command-${id}`,
    label,
    detail: null,
    note: null,
    icon,
    choice: null,
    run,
  })
  return [
    ...schemes
      .filter(({ scheme }) => scheme !== chosen)
      .map(({ scheme, icon }) => {
        const name = t(`common.theme_${scheme}`)
        return command(`theme-${scheme}`, icon, `${t('common.theme')}: ${name}`, () => {
          chooseScheme(scheme)
          announce(name)
        })
      }),
    ...availableLanguages()
      .filter(({ langLocale }) => langLocale !== language.langLocale)
      .map(({ langLocale, langName }) =>
        command(`language-${langLocale}`, IconLanguage, `${t('common.language')}: ${langName}`, () => {
          changeLanguage(langLocale).catch((error: unknown) => announce(errorText(error)))
        }),
      ),
    command('shortcuts', IconKeyboard, t('palette.shortcuts'), showShortcuts),
    command('leave', IconLogout, t('common.sign_out'), () => void leave()),
  ]
}
