import { IconSearch, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { errorText } from '../../ui/error-message.tsx'
import { useBackdrop } from '../../ui/use-backdrop.ts'
import { useModal } from '../../ui/use-modal.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import type { MenuEntry } from '../menu.ts'
import { choiceLink } from './choice-link.ts'
import classes from './palette.module.css'
import type { PaletteItem } from './palette-item.ts'
import { PaletteList } from './palette-list.tsx'
import { rememberChoice } from './recent-choices.ts'
import { useCommands } from './use-commands.ts'
import { usePaletteGroups } from './use-palette-groups.ts'

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
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [markedId, setMarkedId] = useState<string | null>(null)
  const commands = useCommands({ leave, showShortcuts: onShowShortcuts })
  const { groups, busy, error } = usePaletteGroups(typed, { uid, pages, commands })
  const items = groups.flatMap((group) => group.items)
  const at = Math.max(
    0,
    items.findIndex((item) => item.id === markedId),
  )
  const marked = items[at]

  useModal(dialog)
  const backdrop = useBackdrop(onClose)

  const take = ({ choice, run }: PaletteItem) => {
    onClose()
    run?.()
    if (!choice) return
    rememberChoice(uid, choice)
    void navigate(choiceLink(choice))
  }

  const move = (to: number) => {
    const next = items[(to + items.length) % items.length]
    if (next) setMarkedId(next.id)
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(at + 1),
    ArrowUp: () => move(at - 1),
    Enter: () => marked && take(marked),
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  const none = items.length === 0 && !busy && !error
  const status = busy ? t('common.searching') : t('common.results', { count: items.length })
  return (
    // Esc closes a modal dialog natively
    <dialog
      ref={dialog}
      className={classes.palette}
      aria-label={t('palette.title')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      {...backdrop}
    >
      <div className={classes.line}>
        <IconSearch size={20} stroke={1.7} aria-hidden className={classes.glass} />
        <input
          className={classes.field}
          role="combobox"
          aria-label={t('palette.field')}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={marked ? `${id}-${marked.id}` : undefined}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={t('palette.placeholder')}
          dir={typed ? 'auto' : undefined}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setMarkedId(null)
          }}
          onKeyDown={onKeyDown}
        />
        <Button variant="quiet" size="icon" aria-label={t('common.close')} onClick={onClose}>
          <IconX size={20} aria-hidden />
        </Button>
      </div>
      <div className={classes.found}>
        <PaletteList id={id} groups={groups} marked={marked?.id ?? null} busy={busy} onTake={take} />
        {busy ? <p className={classes.notice}>{t('common.searching')}</p> : null}
        {error ? <p className={classes.notice}>{errorText(error, t)}</p> : null}
        {none ? <p className={classes.notice}>{t('palette.none', { words: typed.trim() })}</p> : null}
      </div>
      <VisuallyHidden>
        <span role="status">{typed ? status : ''}</span>
      </VisuallyHidden>
    </dialog>
  )
}
