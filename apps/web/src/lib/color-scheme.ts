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

/** Chooses light, dark, or what the system says; kept for the next visit. */
export function chooseScheme(next: SchemeChoice): void {
  choice = next
  try {
    if (next === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, next)
  } catch {
    // Storage is closed to us: the choice holds for this page.
  }
  show()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What is shown now. Maps use it to pick their style. */
export function useColorScheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, scheme, () => 'light' as const)
}

/** What the person chose. */
export function useSchemeChoice(): SchemeChoice {
  return useSyncExternalStore(
    subscribe,
    () => choice,
    () => 'system' as const,
  )
}
