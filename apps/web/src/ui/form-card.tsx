import type { FormEvent, ReactNode } from 'react'
import classes from './form-card.module.css'

interface Props {
  title: ReactNode
  intro?: ReactNode
  children: ReactNode
  /** Two columns where there is room. */
  wide?: boolean
}

/** A page that is one card: a title and what has to be filled in. */
export function FormCard({ title, intro, children, wide = false }: Props) {
  return (
    <div className={classes.page}>
      <div className={wide ? `${classes.card} ${classes.wide}` : classes.card}>
        <div className={classes.head}>
          <h1 className={classes.title}>{title}</h1>
          {intro ? <p className={classes.intro}>{intro}</p> : null}
        </div>
        {children}
      </div>
    </div>
  )
}

/** A form that is looked at by the page's own rules, not by the browser's. */
export function PlainForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {children}
    </form>
  )
}
