import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * Gives the focus to the first field or button inside when it appears as the answer to a press: the thing to do next.
 * In a dialog it is the one the dialog opens with.
 */
export function FocusFirst({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const first = box.current?.querySelector<HTMLElement>('input, button, a')
    // A dialog that opens a moment later looks for the attribute.
    first?.setAttribute('autofocus', '')
    first?.focus()
  }, [])
  return (
    <div ref={box} style={{ display: 'contents' }}>
      {children}
    </div>
  )
}
