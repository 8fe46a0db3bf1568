import { type RefObject, useEffect } from 'react'

/** Opens a modal dialog while `open`, and restores the focus when it closes. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, open = true): void {
  useEffect(() => {
    const element = dialog.current
    if (!element || !open) return
    const before = document.activeElement
    const root = document.documentElement
    // Reserves the scrollbar's width only if a scrollbar disappears; otherwise the page would shift.
    root.toggleAttribute('data-scrollbar', window.innerWidth > root.clientWidth)
    if (!element.open) element.showModal()
    return () => {
      element.close()
      // The browser restores the focus only if the dialog closes before it is removed.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [dialog, open])
}
