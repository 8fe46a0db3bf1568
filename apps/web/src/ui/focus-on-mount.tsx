import { type ReactNode, useEffect, useRef } from 'react'

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
