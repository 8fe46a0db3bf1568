import { type MouseEvent, useRef } from 'react'

/**
 * Closes a dialog on a press of its backdrop. Both mouse down and up must be there: text may be selected beyond the
 * edge, and a button may move away under the pointer.
 */
export function useBackdrop(onClose: () => void) {
  const startedOnBackdrop = useRef(false)
  const isBackdrop = ({ target, currentTarget }: MouseEvent) => target === currentTarget
  return {
    onMouseDown: (event: MouseEvent) => {
      startedOnBackdrop.current = isBackdrop(event)
    },
    onClick: (event: MouseEvent) => {
      if (startedOnBackdrop.current && isBackdrop(event)) onClose()
    },
  }
}
