import type { ReactNode } from 'react'
import classes from './notice.module.css'

interface Props {
  tone: 'good' | 'bad' | 'attention' | 'plain'
  children: ReactNode
}

/**
 * An inline message: `good` for success, `bad` for failure, `attention` for pending matters. Announced when it appears.
 */
export function Notice({ tone, children }: Props) {
  return (
    <div className={`${classes.notice} ${classes[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
