import type { ReactNode } from 'react'
import classes from './static-page.module.css'

/** A page of text: a heading, a lead, and sections. */
export function StaticPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <article className={classes.page}>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.lead}>{lead}</p>
      {children}
    </article>
  )
}

/** A section of such a page. */
export function StaticSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      <p>{children}</p>
    </section>
  )
}
