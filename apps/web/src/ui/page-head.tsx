import type { ReactNode } from 'react'
import classes from './page-head.module.css'

interface Props {
  title: ReactNode
  /** Target for `aria-labelledby`. */
  id?: string
  /** Row count next to the title. */
  count?: ReactNode
  /** One sentence below the title. */
  lead?: ReactNode
  /** The page's main action, at the end. */
  children?: ReactNode
}

/** Class name for the outermost element of an admin page. */
export const pageFrame = classes.page as string

/** Page title with count, main action and lead sentence, in the same place on every page. */
export function PageHead({ title, id, count, lead, children }: Props) {
  return (
    <header className={classes.head}>
      <div className={classes.line}>
        <h1 id={id} className={classes.title}>
          {title}
        </h1>
        {count ? <span className={classes.count}>{count}</span> : null}
        {children ? <span className={classes.end}>{children}</span> : null}
      </div>
      {lead ? <p className={classes.lead}>{lead}</p> : null}
    </header>
  )
}
