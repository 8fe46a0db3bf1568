import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import classes from './safety.module.css'

/** How long the button is held, ms. */
export const holdMs = 2_000
/** The second of two presses comes within this time, ms. */
export const againMs = 4_000

interface Props {
  label: string
  /** The label after one short press. */
  again: string
  busy: boolean
  onConfirm: () => void
}

/**
 * A button that is confirmed by holding it for two seconds, or by pressing it twice: a short press by keyboard, switch, screen
 * reader or finger asks for a second one.
 */
export function HoldButton({ label, again, busy, onConfirm }: Props) {
  const [holding, setHolding] = useState(false)
  const [armed, setArmed] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  /** The press that confirmed by holding ends with a click, which counts for nothing. */
  const held = useRef(false)
  const confirm = useRef(onConfirm)
  confirm.current = onConfirm

  useEffect(() => {
    if (!armed) return
    const disarm = setTimeout(() => setArmed(false), againMs)
    return () => clearTimeout(disarm)
  }, [armed])
  useEffect(() => () => clearTimeout(timer.current), [])

  const begin = () => {
    if (busy) return
    clearTimeout(timer.current)
    held.current = false
    setHolding(true)
    timer.current = setTimeout(() => {
      held.current = true
      setHolding(false)
      setArmed(false)
      confirm.current()
    }, holdMs)
  }
  const end = () => {
    clearTimeout(timer.current)
    setHolding(false)
  }
  const press = () => {
    if (held.current) {
      held.current = false
      return
    }
    setArmed(!armed)
    if (armed) confirm.current()
  }
  return (
    <Button
      variant="danger"
      size="large"
      busy={busy}
      className={classes.hold}
      data-holding={holding || undefined}
      data-armed={armed || undefined}
      onPointerDown={begin}
      onPointerUp={end}
      onPointerLeave={end}
      onPointerCancel={end}
      onContextMenu={(event) => event.preventDefault()}
      onClick={press}
    >
      <IconAlertTriangle size={22} aria-hidden />
      <span aria-live="polite">{armed ? again : label}</span>
    </Button>
  )
}
