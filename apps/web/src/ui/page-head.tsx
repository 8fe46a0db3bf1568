import type { ReactNode } from 'react'
import classes from './page-head.module.css'

interface Props {
  title: ReactNode
  /** For what the title names by `aria-labelledby`. */
  id?: string
  /** How many there are, beside the name. */
  count?: ReactNode
  /** One sentence below it. */
  lead?: ReactNode
  /** The page's main action, at the end. */
  children?: ReactNode
}

/** The frame that a page of the back-office stands in; goes to its outermost element. */
export const pageFrame = classes.page as string

/** The name of a page with its number and main action, and a sentence below: in the same place on every page. */
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
