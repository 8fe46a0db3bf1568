import type { KeyboardEvent } from 'react'

const steps: Record<string, number> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: -Infinity,
  End: Infinity,
}

/**
 * Moves the focus among the `data-step` elements of a list: arrows or j and k by one, Home and End to the ends. Returns
 * the newly focused element; null for another key.
 */
export function stepFocus(event: KeyboardEvent<HTMLElement>): HTMLElement | null {
  const step = steps[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return null
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-step]')]
  const from = items.findIndex((item) => item.contains(document.activeElement))
  const to = items[Math.max(0, Math.min(items.length - 1, from + step))]
  if (!to) return null
  event.preventDefault()
  to.focus()
  return to
}
