import { useEffect, useRef } from 'react'
import { ApiError } from '../lib/api-error.ts'
import { type Translate, useText } from '../lib/i18n.ts'
import classes from './problem-summary.module.css'

/** What is wrong with a form: a text for each field, by the field's name. */
export type Problems = Readonly<Record<string, string>>

/** The fields that the server refused, with a text for each. */
export function refusedFields(error: unknown, t: Translate): Problems {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.fields.map(({ field, error: key }) => [field, fieldProblem(key, t)]))
}

/** What is wrong with a field: an error of its own, or one of those that any field can have. */
export function fieldProblem(key: string, t: Translate): string {
  const own = t(`error.${key}` as string)
  return own === `error.${key}` ? t(`error.field_${key}` as string) : own
}

interface Props {
  problems: Problems
  /** What the form as a whole was refused for. */
  message?: string | null
  labels: Readonly<Record<string, string>>
  /** Grows with every try: the summary then takes the focus. */
  turn: number
}

/** All that is wrong with a form, above it. Each entry leads to its field. */
export function ProblemSummary({ problems, message, labels, turn }: Props) {
  const { t } = useText()
  const box = useRef<HTMLDivElement>(null)
  const entries = Object.entries(problems)
  useEffect(() => {
    if (turn > 0) box.current?.focus()
  }, [turn])
  if (entries.length === 0 && !message) return null
  const goTo = (name: string) => {
    const field = box.current?.parentElement?.querySelector(`[name="${CSS.escape(name)}"]`)
    if (field instanceof HTMLElement) field.focus()
  }
  return (
    <div ref={box} className={classes.summary} role="group" aria-labelledby="problem-summary" tabIndex={-1}>
      <p id="problem-summary" className={classes.title}>
        {message ?? t('register.problems')}
      </p>
      {entries.length > 0 ? (
        <ul className={classes.list}>
          {entries.map(([name, text]) => (
            <li key={name}>
              <button type="button" className={classes.link} onClick={() => goTo(name)}>
                {labels[name] ?? name}
              </button>
              : {text}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
