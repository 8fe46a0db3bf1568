import { type ReactNode, useId } from 'react'
import classes from './option-cards.module.css'

/** One option with its description. */
export interface CardOption<Value extends string> {
  value: Value
  icon?: ReactNode
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
export function OptionCards<Value extends string>({ legend, options, value, onChange, busy }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={classes.choice} aria-busy={busy || undefined}>
      <legend>{legend}</legend>
      <div className={classes.options}>
        {options.map((option) => (
          <label key={option.value} className={classes.option} data-disabled={option.disabled || undefined}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            {option.icon}
            <span className={classes.words}>
              <span className={classes.name}>{option.name}</span>
              {option.detail ? <span className={classes.detail}>{option.detail}</span> : null}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
