import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { MenuEntry } from '../menu.ts'
import { pageKeys, shortcutOf, takesLetters } from './shortcuts.ts'

/** Maximum delay between G and the letter. */
const patienceMs = 1500

interface Actions {
  pages: readonly MenuEntry[]
  /** Whether shortcuts without Ctrl or Cmd are enabled. */
  single: boolean
  openPalette: () => void
  openShortcuts: () => void
}

/** Handles the keyboard shortcuts while the shell of signed-in pages is mounted. */
export function useShortcuts(actions: Actions): void {
  const navigate = useNavigate()
  const now = useRef(actions)
  const goneAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    now.current = actions
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.repeat || event.defaultPrevented) return
      const { pages, single, openPalette, openShortcuts } = now.current
      const shortcut = shortcutOf(event, {
        single: single && !takesLetters(event.target),
        going: event.timeStamp - goneAt.current < patienceMs,
      })
      goneAt.current = shortcut?.what === 'go' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (!shortcut || shortcut.what === 'go') return
      const page =
        shortcut.what === 'page' ? pages.find(({ path }) => pageKeys[path] === shortcut.key) : undefined
      if (shortcut.what === 'page' && !page) return
      event.preventDefault()
      if (shortcut.what === 'palette') openPalette()
      else if (shortcut.what === 'help') openShortcuts()
      else if (page) void navigate({ to: page.path })
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [navigate])
}
