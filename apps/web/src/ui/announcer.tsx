import { useEffect, useState } from 'react'
import classes from './visually-hidden.module.css'

type Listener = (message: string) => void
const listeners = new Set<Listener>()

/** Tells screen readers something when they are free, wherever the focus is. Needs one `<Announcer>` on the page. */
export function announce(message: string): void {
  for (const listener of listeners) listener(message)
}

/** The polite live region that `announce` speaks through. The shells render one. */
export function Announcer() {
  const [said, setSaid] = useState({ message: '', turn: 0 })
  useEffect(() => {
    const listener: Listener = (message) => setSaid(({ turn }) => ({ message, turn: turn + 1 }))
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
  return (
    <div className={classes.hidden} role="status" aria-live="polite">
      {/* A new element each time, so that the same words twice are said twice. */}
      <span key={said.turn}>{said.message}</span>
    </div>
  )
}
