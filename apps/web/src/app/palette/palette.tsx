import { isPlainScreen } from '@hansom/domain/access/screens'
import {
  IconDeviceDesktop,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconX,
} from '@tabler/icons-react'
import { type NavigateOptions, useNavigate } from '@tanstack/react-router'
import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk'
import { useRef, useState } from 'react'
import { chooseScheme, type SchemeChoice, useSchemeChoice } from '../../lib/color-scheme.ts'
import { availableLanguages, changeLanguage, useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { errorText } from '../../ui/error-message.tsx'
import { Modal } from '../../ui/modal.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import type { MenuEntry } from '../menu.ts'
import classes from './palette.module.css'
import { type Choice, rememberChoice } from './recent-choices.ts'
import { type PaletteItem, usePaletteGroups } from './use-palette-groups.ts'

/** The link of a choice: users open next to their table, bookings on their own page. */
function choiceLink({ kind, id }: Choice): NavigateOptions {
  switch (kind) {
    case 'page':
      // A stored page may no longer exist in this version.
      return { to: isPlainScreen(id) ? id : '/' }
    case 'rider':
      return { to: '/riders', search: { open: id } }
    case 'driver':
      return { to: '/drivers', search: { open: id } }
    case 'booking':
      return { to: '/trip/$id', params: { id } }
  }
}

interface Props {
  uid: string
  pages: readonly MenuEntry[]
  onClose: () => void
  onShowShortcuts: () => void
  leave: () => Promise<void>
}

/** Command palette: jumps to any page, user or booking and runs commands. */
export function Palette({ uid, pages, onClose, onShowShortcuts, leave }: Props) {
  const { t } = useText()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  /** The item the user moved to; without one, the first item is marked, even when results arrive above it. */
  const [marked, setMarked] = useState<string | null>(null)
  const moves = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const commands = useCommands({ leave, showShortcuts: onShowShortcuts })
  const { groups, busy, error } = usePaletteGroups(typed, { uid, pages, commands })
  const ids = groups.flatMap(({ items }) => items.map(({ id }) => id))

  const take = ({ choice, run }: PaletteItem) => {
    onClose()
    run?.()
    if (!choice) return
    rememberChoice(uid, choice)
    void navigate(choiceLink(choice))
  }

  const isEmpty = ids.length === 0 && !busy && !error
  const status = busy ? t('common.searching') : t('common.results', { count: ids.length })
  return (
    <Modal
      open
      onClose={onClose}
      className={classes.palette}
      aria-label={t('palette.title')}
      initialFocus={field}
    >
      <CommandRoot
        className={classes.root}
        label={t('palette.field')}
        loop
        // The groups are filtered already.
        shouldFilter={false}
        // Ctrl K closes the palette.
        vimBindings={false}
        value={marked !== null && ids.includes(marked) ? marked : (ids[0] ?? '')}
        onValueChange={(id) => {
          if (moves.current) setMarked(id)
        }}
        onKeyDown={({ key }) => {
          if (key !== 'Enter') moves.current = /^(Arrow|Home|End)/.test(key)
        }}
        onPointerMove={() => {
          moves.current = true
        }}
      >
        <div className={classes.line}>
          <IconSearch size={20} stroke={1.7} aria-hidden className={classes.glass} />
          <CommandInput
            className={classes.field}
            ref={field}
            enterKeyHint="go"
            placeholder={t('palette.placeholder')}
            dir={typed ? 'auto' : undefined}
            value={typed}
            onValueChange={(text) => {
              setTyped(text)
              setMarked(null)
            }}
          />
          <Button variant="quiet" size="icon" aria-label={t('common.close')} onClick={onClose}>
            <IconX size={20} aria-hidden />
          </Button>
        </div>
        <div className={classes.found}>
          {/* The field must keep the focus when the list is clicked. */}
          <CommandList
            label={t('palette.title')}
            aria-busy={busy}
            onMouseDown={(event) => event.preventDefault()}
          >
            {groups.map(({ id, items }) => (
              <CommandGroup key={id} className={classes.group} heading={t(`palette.group_${id}`)}>
                {items.map((item) => (
                  <CommandItem
                    key={item.id}
                    value={item.id}
                    className={classes.option}
                    onSelect={() => take(item)}
                  >
                    <Row item={item} />
                  </CommandItem>
                ))}
              </CommandGroup>
            ))}
          </CommandList>
          {busy ? <p className={classes.notice}>{t('common.searching')}</p> : null}
          {error ? <p className={classes.notice}>{errorText(error, t)}</p> : null}
          {isEmpty ? <p className={classes.notice}>{t('palette.none', { words: typed.trim() })}</p> : null}
        </div>
        <VisuallyHidden>
          <output>{typed ? status : ''}</output>
        </VisuallyHidden>
      </CommandRoot>
    </Modal>
  )
}

function Row({ item: { label, detail, note, icon: Icon } }: { item: PaletteItem }) {
  return (
    <>
      <Icon size={20} stroke={1.6} aria-hidden />
      <span className={classes.words}>
        <span className={classes.name}>
          <bdi>{label}</bdi>
        </span>
        {detail ? (
          <span className={classes.detail}>
            <bdi>{detail}</bdi>
          </span>
        ) : null}
      </span>
      {note ? <bdi className={classes.note}>{note}</bdi> : null}
    </>
  )
}

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
function useCommands({ leave, showShortcuts }: Actions): PaletteItem[] {
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
        return command(
          `theme-${scheme}`,
          icon,
          t('common.labeled', { name: t('common.theme'), value: name }),
          () => {
            chooseScheme(scheme)
            announce(name)
          },
        )
      }),
    ...availableLanguages()
      .filter(({ langLocale }) => langLocale !== language.langLocale)
      .map(({ langLocale, langName }) =>
        command(
          `language-${langLocale}`,
          IconLanguage,
          t('common.labeled', { name: t('common.language'), value: langName }),
          () => {
            changeLanguage(langLocale).catch((error: unknown) => announce(errorText(error)))
          },
        ),
      ),
    command('shortcuts', IconKeyboard, t('palette.shortcuts'), showShortcuts),
    command('leave', IconLogout, t('common.sign_out'), () => void leave()),
  ]
}
