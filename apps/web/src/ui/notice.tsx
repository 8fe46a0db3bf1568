import type { ReactNode } from 'react'
import classes from './notice.module.css'

/** A message in the page: `good` for what worked, `bad` for what did not. Announced when it appears. */
export function Notice({ tone, children }: { tone: 'good' | 'bad' | 'plain'; children: ReactNode }) {
  return (
    <div className={`${classes.notice} ${classes[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
