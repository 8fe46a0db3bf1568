import { useText } from '../../lib/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import type { MenuEntry } from '../menu.ts'
import { pageKeys } from './shortcuts.ts'
import classes from './shortcuts-dialog.module.css'

interface Props {
  open: boolean
  onClose: () => void
  pages: readonly MenuEntry[]
  /** Whether shortcuts without Ctrl or Cmd are enabled. */
  single: boolean
  onSingle: (on: boolean) => void
}

const onApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/**
 * Lists all shortcuts and has a switch for single-key ones, which get in the way of dictation and one-handed typing.
 */
export function ShortcutsDialog({ open, onClose, pages, single, onSingle }: Props) {
  const { t } = useText()
  const rows = [
    { name: t('palette.title'), keys: [onApple ? '⌘' : 'Ctrl', 'K'] },
    { name: t('palette.search_page'), keys: ['/'] },
    { name: t('palette.shortcuts'), keys: ['?'] },
    ...pages.flatMap(({ path, label }) => {
      const key = pageKeys[path]
      return key ? [{ name: t(label), keys: ['G', key.toUpperCase()] }] : []
    }),
    ...(pages.some(({ path }) => path === '/dispatch')
      ? [
          { name: t('dispatch.keys_queue'), keys: ['↑', '↓', 'J', 'K'] },
          { name: t('dispatch.keys_enter'), keys: ['Enter'] },
          { name: t('dispatch.keys_back'), keys: ['Esc'] },
        ]
      : []),
  ]
  return (
    <Dialog open={open} onClose={onClose} title={t('palette.shortcuts')} width={520}>
      <dl className={classes.list}>
        {rows.map(({ name, keys }) => (
          <div key={name} className={classes.row}>
            <dt>{name}</dt>
            <dd className={classes.keys}>
              <bdi dir="ltr">
                {keys.map((key) => (
                  <kbd key={key} className={classes.key}>
                    {key}
                  </kbd>
                ))}
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
      <div className={classes.switch}>
        <SwitchField
          label={t('palette.single_keys')}
          hint={t('palette.single_keys_text')}
          checked={single}
          onChange={onSingle}
        />
      </div>
    </Dialog>
  )
}
