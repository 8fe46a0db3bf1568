import { useSyncExternalStore } from 'react'

export type SchemeChoice = 'light' | 'dark' | 'system'

/** Also read by /theme.js before the first paint. */
const storageKey = 'hansom-theme'
const attribute = 'data-color-scheme'
const listeners = new Set<() => void>()
const systemDark = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-color-scheme: dark)')

function readChoice(): SchemeChoice {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

let choice: SchemeChoice = typeof localStorage === 'undefined' ? 'system' : readChoice()

function scheme(): 'light' | 'dark' {
  if (choice !== 'system') return choice
  return systemDark?.matches ? 'dark' : 'light'
}

function show(): void {
  document.documentElement.setAttribute(attribute, scheme())
  for (const listener of listeners) listener()
}

systemDark?.addEventListener('change', show)

/** Sets the color scheme to light, dark or the system's, and stores the choice. */
export function chooseScheme(next: SchemeChoice): void {
  choice = next
  try {
    if (next === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, next)
  } catch {
    // Storage is unavailable: the choice lasts until the page is closed.
  }
  show()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The color scheme in effect. Maps use it to pick their style. */
export function useColorScheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, scheme, () => 'light' as const)
}

/** The user's choice. */
export function useSchemeChoice(): SchemeChoice {
  return useSyncExternalStore(
    subscribe,
    () => choice,
    () => 'system' as const,
  )
}
