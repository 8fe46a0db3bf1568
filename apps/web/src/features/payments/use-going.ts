import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * Which way out of the page was taken: only one can be. It is open again when the browser's history brings the page back.
 */
export function useGoing(): { going: string | null; go: (name: string) => boolean } {
  const [going, setGoing] = useState<string | null>(null)
  // Two presses may come before the next render.
  const taken = useRef(false)
  useEffect(() => {
    const comeBack = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      taken.current = false
      setGoing(null)
    }
    addEventListener('pageshow', comeBack)
    return () => removeEventListener('pageshow', comeBack)
  }, [])
  const go = useCallback((name: string) => {
    if (taken.current) return false
    taken.current = true
    setGoing(name)
    return true
  }, [])
  return { going, go }
}
