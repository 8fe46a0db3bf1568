import { type ReactNode, useId } from 'react'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'
import classes from './profile-screen.module.css'

/** A profile section with a heading. */
export function Section({
  title,
  intro,
  anchor,
  children,
}: {
  title: string
  intro?: string | undefined
  /** The hash of links to the section. */
  anchor?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section id={anchor} className={classes.section} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {title}
      </h2>
      {intro ? <p className={classes.intro}>{intro}</p> : null}
      {children}
    </section>
  )
}

/** Shows an error; renders nothing without one. */
export function ErrorNotice({ error }: { error: unknown }) {
  if (!error) return null
  return (
    <Notice tone="bad">
      <ErrorMessage error={error} />
    </Notice>
  )
}
