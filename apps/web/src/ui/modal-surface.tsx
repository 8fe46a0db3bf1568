import { Dialog } from '@base-ui/react/dialog'
import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import classes from './modal-surface.module.css'

export interface ModalSurfaceProps {
  onClose: () => void
  /** Whether no other modal is above this one. */
  isTopmost: () => boolean
  className: string | undefined
  style?: CSSProperties
  /** `alertdialog` for messages the user must respond to. */
  role?: 'dialog' | 'alertdialog' | undefined
  /** Defaults to the first field, or to the modal itself. */
  initialFocus?: RefObject<HTMLElement | null>
  'data-side'?: 'start' | 'end'
  'aria-label'?: string
  'aria-labelledby'?: string
  children: ReactNode
}

const fields = 'input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled)'

/**
 * The first field, unless it would open its list or the keyboard of a phone, which covers the text before it is read;
 * otherwise the modal itself.
 */
function firstFocus(surface: HTMLElement | null): HTMLElement | null {
  if (matchMedia('(pointer: coarse)').matches) return surface
  const field = surface?.querySelector<HTMLElement>(fields)
  return field && field.getAttribute('role') !== 'combobox' ? field : surface
}

/** What a modal shows. */
export function ModalSurface(props: ModalSurfaceProps) {
  const { onClose, isTopmost, role = 'dialog', initialFocus, ...popup } = props
  const surface = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (document.querySelector('[data-modal]')) return
    const root = document.documentElement
    // Reserves the scrollbar's width only if a scrollbar disappears; otherwise the page would shift.
    root.toggleAttribute('data-scrollbar', window.innerWidth > root.clientWidth)
  }, [])
  return (
    <Dialog.Root
      open
      // The style sheet locks the scroll position; Base UI's own lock would move it and change the page's header.
      modal="trap-focus"
      onOpenChange={(_, { reason, event, cancel }) => {
        cancel()
        const isEscape = reason === 'escape-key'
        if (isEscape && (event.defaultPrevented || !isTopmost())) return
        if (isEscape || reason === 'outside-press') onClose()
      }}
    >
      <Dialog.Portal data-modal>
        <Dialog.Backdrop forceRender className={classes.scrim} />
        <Dialog.Popup
          {...popup}
          ref={surface}
          role={role}
          aria-modal
          initialFocus={initialFocus ?? (() => role === 'alertdialog' || firstFocus(surface.current))}
        />
      </Dialog.Portal>
    </Dialog.Root>
  )
}
