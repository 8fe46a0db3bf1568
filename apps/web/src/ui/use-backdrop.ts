import { type MouseEvent, useRef } from 'react'

/**
 * Closes a dialog by a press on its backdrop. A press that only begins or ends there does not: text may be selected beyond the
 * edge, and a button may move away under the pointer.
 */
export function useBackdrop(onClose: () => void) {
  const began = useRef(false)
  const isBackdrop = ({ target, currentTarget }: MouseEvent) => target === currentTarget
  return {
    onMouseDown: (event: MouseEvent) => {
      began.current = isBackdrop(event)
    },
    onClick: (event: MouseEvent) => {
      if (began.current && isBackdrop(event)) onClose()
    },
  }
}
