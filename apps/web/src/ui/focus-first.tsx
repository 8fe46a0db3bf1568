import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Focuses the first field or button inside on mount, when it appears in response to an action. In a dialog, it becomes
 * the initial focus.
 */
export function FocusFirst({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const first = box.current?.querySelector<HTMLElement>('input, button, a')
    // A dialog that opens afterwards looks for this attribute.
    first?.setAttribute('autofocus', '')
    first?.focus()
  }, [])
  return (
    <div ref={box} style={{ display: 'contents' }}>
      {children}
    </div>
  )
}

/** Scrolls to new content and focuses it on mount. */
export function FocusOnMount({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
    box.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={box} tabIndex={-1}>
      {children}
    </div>
  )
}
