import type { ScreenPath } from '@hansom/domain/access/screens'

/** g and then the letter opens the page. By the place of the key, so that they are the same in every language. */
export const pageKeys: Readonly<Partial<Record<ScreenPath, string>>> = {
  '/': 'h',
  '/dashboard': 'd',
  '/bookings': 'b',
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

/** The keys of a keyboard event that count. */
export interface Stroke {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

export type Shortcut = { what: 'palette' } | { what: 'help' } | { what: 'go' } | { what: 'page'; key: string }

/**
 * What a stroke asks for; null when it is none of ours. Keys without Ctrl or Cmd count only while `single`: not where
 * somebody types, nor when the person has switched them off. `going`: a g came right before.
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
  const letter = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase()
  if (going && letter) return { what: 'page', key: letter }
  return letter === 'g' ? { what: 'go' } : null
}

/** Whether what has the focus takes letters itself, or a dialog is open above the page. */
export function takesLetters(target: EventTarget | null): boolean {
  if (document.querySelector('dialog:modal, [role="dialog"][aria-modal="true"]')) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input, textarea, select, [role="textbox"], [role="combobox"], [role="listbox"]'))
  )
}
