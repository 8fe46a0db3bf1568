import { type RefObject, useEffect } from 'react'

/** Opens a dialog over the page while `open`, and gives the focus back when it closes. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, open = true): void {
  useEffect(() => {
    const element = dialog.current
    if (!element || !open) return
    const before = document.activeElement
    const root = document.documentElement
    // Only where a scrollbar goes away is its place kept: a page without one would move aside for nothing.
    root.toggleAttribute('data-scrollbar', window.innerWidth > root.clientWidth)
    if (!element.open) element.showModal()
    return () => {
      element.close()
      // The browser gives it back only to what closes before it is taken away.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [dialog, open])
}
