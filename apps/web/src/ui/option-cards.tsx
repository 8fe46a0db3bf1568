import { type ReactNode, useId } from 'react'
import classes from './option-cards.module.css'

/** One option with its description. */
export interface CardOption<Value extends string> {
  value: Value
  icon: ReactNode
  name: ReactNode
  detail?: ReactNode
  disabled?: boolean
}

interface Props<Value extends string> {
  legend: ReactNode
  options: readonly CardOption<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** A change is being saved. */
  busy?: boolean
}

/** A choice between a few options as cards: radio buttons with space for text. */
export function OptionCards<Value extends string>({
  legend,
  options: ways,
  value,
  onChange,
  busy,
}: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={classes.choice} aria-busy={busy || undefined}>
      <legend>{legend}</legend>
      <div className={classes.ways}>
        {ways.map((way) => (
          <label key={way.value} className={classes.way} data-disabled={way.disabled || undefined}>
            <input
              type="radio"
              name={name}
              value={way.value}
              checked={value === way.value}
              disabled={way.disabled}
              onChange={() => onChange(way.value)}
            />
            {way.icon}
            <span className={classes.words}>
              <span className={classes.name}>{way.name}</span>
              {way.detail ? <span className={classes.detail}>{way.detail}</span> : null}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
