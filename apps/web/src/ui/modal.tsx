import { Suspense } from 'react'
import { part } from './lazy-part.tsx'
import { useModalHistory } from './modal-history.ts'
import type { ModalSurfaceProps } from './modal-surface.tsx'

const ModalSurface = part<ModalSurfaceProps>(async () => (await import('./modal-surface.tsx')).ModalSurface)

/** Loads the code of modals, which is not part of the landing page. */
export const loadModal = ModalSurface.load

interface Props extends Omit<ModalSurfaceProps, 'isTopmost'> {
  open: boolean
  /** False if Back closes it already, because the URL or a navigation opened it. */
  hasEntry?: boolean | undefined
}

/**
 * The base of dialogs, drawers and the palette: covers the page, traps the focus and restores it; closes on Esc, on
 * Back and on a press of the scrim.
 */
export function Modal({ open, hasEntry = true, ...surface }: Props) {
  const isTopmost = useModalHistory(open, surface.onClose, hasEntry)
  if (!open) return null
  return (
    <Suspense fallback={null}>
      <ModalSurface {...surface} isTopmost={isTopmost} />
    </Suspense>
  )
}
