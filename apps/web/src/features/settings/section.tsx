import { type ReactNode, useId } from 'react'
import classes from './settings-screen.module.css'

interface Props {
  id: string
  title: string
  text?: string
  children: ReactNode
}

/** A card of settings that belong together. */
export function Section({ id, title, text, children }: Props) {
  const heading = useId()
  return (
    <section id={id} className={classes.section} aria-labelledby={heading}>
      <div className={classes.sectionHead}>
        <h2 id={heading}>{title}</h2>
        {text ? <p>{text}</p> : null}
      </div>
      {children}
    </section>
  )
}
