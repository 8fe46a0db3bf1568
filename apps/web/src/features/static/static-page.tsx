import type { ReactNode } from 'react'
import classes from './static-page.module.css'

/** A text page: heading, lead and sections. */
export function StaticPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <article className={classes.page}>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.lead}>{lead}</p>
      {children}
    </article>
  )
}

/** A section of a text page. */
export function StaticSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      <p>{children}</p>
    </section>
  )
}
