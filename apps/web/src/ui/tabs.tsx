import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import classes from './tabs.module.css'

interface Props<T extends string> {
  label: string
  tabs: readonly { id: T; label: ReactNode }[]
  value: T
  onChange: (id: T) => void
  /** Content of the selected tab. */
  children: ReactNode
}

/** Tabs (the ARIA pattern): arrows, Home and End select, Tab moves into the panel. A single tab is not shown. */
export function Tabs<T extends string>({ label, tabs, value, onChange, children }: Props<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const isShown = tabs.length > 1

  const at = tabs.findIndex((tab) => tab.id === value)
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const back = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const forth = back === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
    const to = { [back]: at - 1, [forth]: at + 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const index = (to + tabs.length) % tabs.length
    const next = tabs[index]
    if (next) onChange(next.id)
    const button = list.current?.children[index]
    if (button instanceof HTMLElement) button.focus()
  }

  return (
    <div className={classes.tabs}>
      {isShown ? (
        <div ref={list} className={classes.list} role="tablist" aria-label={label}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              id={`${id}-${tab.id}`}
              className={classes.tab}
              role="tab"
              aria-selected={tab.id === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === value ? 0 : -1}
              onClick={() => onChange(tab.id)}
              onKeyDown={onKeyDown}
            >
              {tab.label}
            </button>
          ))}
        </div>
      ) : null}
      {/* The same element with and without tabs, so that typed input survives when another tab appears. */}
      <div
        id={`${id}-panel`}
        role={isShown ? 'tabpanel' : undefined}
        aria-labelledby={isShown ? `${id}-${value}` : undefined}
      >
        {children}
      </div>
    </div>
  )
}
