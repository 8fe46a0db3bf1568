import { useEffect, useRef, useState } from 'react'

/** How long the dialog shows the result, ms. */
const sayMs = 1_500

/**
 * Closes a dialog shortly after it has shown its result: `words` is the text key of the result, empty to keep the current
 * content. Closing again is immediate.
 */
export function useLeaving(onClose: () => void): { words: string | null; leave: (words: string) => void } {
  const [words, setWords] = useState<string | null>(null)
  const close = useRef(onClose)
  close.current = onClose
  const isLeaving = words !== null
  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(() => close.current(), sayMs)
    return () => clearTimeout(timer)
  }, [isLeaving])
  return {
    words,
    leave: (said) => {
      if (isLeaving) close.current()
      else setWords(said)
    },
  }
}
