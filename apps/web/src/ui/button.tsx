import type { ComponentProps } from 'react'
import classes from './button.module.css'

export interface ButtonLook {
  /** `primary` is the main action of a screen. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined
  size?: 'small' | 'medium' | 'large' | 'icon' | undefined
  /** As wide as its container. */
  wide?: boolean | undefined
}

/** The class names of a button, for links styled as one. */
export function buttonClass({
  variant = 'secondary',
  size = 'medium',
  wide = false,
}: ButtonLook = {}): string {
  const names = [classes.button, classes[variant]]
  if (size !== 'medium') names.push(classes[size])
  if (wide) names.push(classes.wide)
  return names.join(' ')
}

interface Props extends ComponentProps<'button'>, ButtonLook {
  /** Work is in progress: announced as busy, and clicks are ignored. */
  busy?: boolean
}

/** A button, at least 48 px high, 56 px when large. An icon button needs an `aria-label`. */
export function Button({ variant, size, wide, busy = false, className, children, onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      className={`${buttonClass({ variant, size, wide })} ${className ?? ''}`}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <span className={classes.spinner} aria-hidden /> : null}
      {children}
    </button>
  )
}
