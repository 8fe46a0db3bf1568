import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useStoredState } from '../../lib/use-stored-state.ts'
import type { MenuEntry } from '../menu.ts'
import { useSignOut } from '../shells/use-sign-out.ts'
import classes from './palette-button.module.css'
import { useShortcuts } from './shortcuts.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}))

/** Delay before preloading the palette, so that it does not compete with the page itself. */
const settledMs = 1_500
const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean'

interface Props {
  uid: string
  pages: readonly MenuEntry[]
}

/** The search-like button that opens the palette; also registers the keyboard shortcuts of the shell. */
export function PaletteButton({ uid, pages }: Props) {
  const { t } = useText()
  const [shown, setShown] = useState<'palette' | 'shortcuts' | null>(null)
  const [single, setSingle] = useStoredState('hansom-single-keys', true, isBoolean)
  const { leave } = useSignOut()
  // Preloads the palette: users keep typing right after the shortcut.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), settledMs)
    return () => clearTimeout(timer)
  }, [])
  useShortcuts({
    pages,
    single,
    openPalette: () => setShown((before) => (before === 'palette' ? null : 'palette')),
    openShortcuts: () => setShown('shortcuts'),
  })
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setShown('palette')}
      >
        <IconSearch size={20} stroke={1.7} aria-hidden />
        <span className={classes.words}>{t('palette.button')}</span>
        <kbd className={classes.keys} dir="ltr" aria-hidden>
          Ctrl K
        </kbd>
      </button>
      <Suspense fallback={null}>
        {shown === 'palette' ? (
          <Palette
            uid={uid}
            pages={pages}
            leave={leave}
            onClose={() => setShown(null)}
            onShowShortcuts={() => setShown('shortcuts')}
          />
        ) : null}
        {shown === 'shortcuts' ? (
          <ShortcutsDialog
            open
            pages={pages}
            single={single}
            onSingle={setSingle}
            onClose={() => setShown(null)}
          />
        ) : null}
      </Suspense>
    </>
  )
}
