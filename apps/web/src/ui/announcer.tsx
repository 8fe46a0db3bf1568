import { useEffect, useState } from 'react'
import classes from './visually-hidden.module.css'

type Listener = (message: string, isOver: boolean) => void
const listeners = new Set<Listener>()

/**
 * Announces a message politely to screen readers, regardless of focus. Needs one `<Announcer>` on the page. Returns a
 * function that removes the message, if it is still the last one, once it is no longer true.
 */
export function announce(message: string): () => void {
  for (const listener of listeners) listener(message, false)
  return () => {
    for (const listener of listeners) listener(message, true)
  }
}

/** The polite live region used by `announce`. The app renders one. */
export function Announcer() {
  const [said, setSaid] = useState({ message: '', turn: 0 })
  useEffect(() => {
    const listener: Listener = (message, isOver) =>
      setSaid((last) => {
        if (!isOver) return { message, turn: last.turn + 1 }
        return last.message === message ? { ...last, message: '' } : last
      })
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
  return (
    <output className={classes.hidden} aria-live="polite">
      {/* A new element each time, so that repeating a message announces it again. */}
      <span key={said.turn}>{said.message}</span>
    </output>
  )
}
