import type { KeyboardEvent, ReactNode } from 'react'
import { Popover } from './popover.tsx'
import classes from './popover.module.css'

export interface MenuItem {
  id: string
  label: ReactNode
  icon?: ReactNode
  danger?: boolean
  onSelect: () => void
}

interface Props {
  anchor: HTMLElement
  label: string
  items: readonly MenuItem[]
  onClose: () => void
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** A menu of actions (the ARIA menu pattern): arrows, Home and End move, Enter selects, Esc and Tab close. */
export function Menu({ anchor, label, items, onClose }: Props) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') return onClose()
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')]
    const at = entries.indexOf(document.activeElement as HTMLElement)
    entries[step(at, entries.length)]?.focus()
  }
  return (
    <Popover anchor={anchor} label={label} role="menu" onClose={onClose} onKeyDown={onKeyDown}>
      {items.map(({ id, label: words, icon, danger, onSelect }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={`${classes.item} ${danger ? classes.danger : ''}`}
          onClick={() => {
            onClose()
            onSelect()
          }}
        >
          {icon}
          {words}
        </button>
      ))}
    </Popover>
  )
}
