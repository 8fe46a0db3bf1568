import type { FormEvent, ReactNode } from 'react'
import classes from './form-card.module.css'

interface Props {
  title: ReactNode
  intro?: ReactNode
  children: ReactNode
  /** Two columns if there is space. */
  wide?: boolean
}

/** A page with a single card: a title and a form. */
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

/** A form with the app's validation instead of the browser's. */
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
