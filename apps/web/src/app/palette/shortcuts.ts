import type { ScreenPath } from '@hansom/domain/access/screens'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { MenuEntry } from '../menu.ts'

/** G, then the letter, opens the page. Letters are key positions, so they are the same in every language. */
export const pageKeys: Readonly<Partial<Record<ScreenPath, string>>> = {
  '/': 'h',
  '/dashboard': 'd',
  '/bookings': 'b',
  '/dispatch': 't',
  '/addbookings': 'n',
  '/riders': 'r',
  '/drivers': 'v',
  '/cartypes': 'c',
  '/earningreports': 'e',
  '/driverearning': 'a',
  '/withdraws': 'w',
  '/wallet': 'w',
  '/settings': 's',
  '/promos': 'o',
  '/notifications': 'm',
  '/profile': 'p',
}

/** The relevant fields of a keyboard event. */
export interface Stroke {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

export type Shortcut =
  | { what: 'palette' }
  | { what: 'help' }
  | { what: 'search' }
  | { what: 'go' }
  | { what: 'page'; key: string }

/**
 * Maps a keystroke to a shortcut; null if it is none. `single` enables shortcuts without Ctrl or Cmd: off while the
 * user is typing or has disabled them. `going`: the previous key was G.
 */
export function shortcutOf(
  stroke: Stroke,
  { single, going }: { single: boolean; going: boolean },
): Shortcut | null {
  const { key, code, ctrlKey, metaKey, altKey } = stroke
  if (altKey) return null
  if (ctrlKey || metaKey) return code === 'KeyK' || key.toLowerCase() === 'k' ? { what: 'palette' } : null
  if (!single) return null
  if (key === '?' || key === '؟') return { what: 'help' }
  if (key === '/') return { what: 'search' }
  const letter = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase()
  if (going && letter) return { what: 'page', key: letter }
  return letter === 'g' ? { what: 'go' } : null
}

/** Whether the focused element accepts letters, or a dialog is open above the page. */
export function takesLetters(target: EventTarget | null): boolean {
  if (document.querySelector('[data-modal]')) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input, textarea, select, [role="textbox"], [role="combobox"], [role="listbox"]'))
  )
}

/** Focuses the page's own search field; a page without one gets the palette. */
export function focusSearch(openPalette: () => void): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (!field) return openPalette()
  field.focus()
  field.select()
}

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
      else if (shortcut.what === 'search') focusSearch(openPalette)
      else if (page) void navigate({ to: page.path })
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [navigate])
}
