import { useEffect, useRef, useState } from 'react'

/** How long the dialog still says what has happened. */
const sayMs = 1_500

/**
 * Closes a dialog a moment after it has said what has happened: `words` is the key of that, empty when what is shown stays.
 * Leaving a second time closes at once.
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
