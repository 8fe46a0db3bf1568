import { ApiError } from '@hansom/client/api-error'
import { useEffect, useRef } from 'react'
import { type Translate, useText } from '../lib/i18n.ts'
import classes from './problem-summary.module.css'

/** Validation messages by field name. */
export type Problems = Readonly<Record<string, string>>

/** Translates the field errors of a server response. */
export function refusedFields(error: unknown, t: Translate): Problems {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.fields.map(({ field, error: key }) => [field, fieldProblem(key, t)]))
}

/** The message for a field error: specific if a text exists, otherwise generic. */
export function fieldProblem(key: string, t: Translate): string {
  const own = t(`error.${key}` as string)
  return own === `error.${key}` ? t(`error.field_${key}` as string) : own
}

interface Props {
  problems: Problems
  /** Error of the form as a whole. */
  message?: string | null
  labels: Readonly<Record<string, string>>
  /** Increments on every attempt, which moves the focus to the summary. */
  attempt: number
}

/** Lists all problems of a form above it. Each entry focuses its field. */
export function ProblemSummary({ problems, message, labels, attempt: turn }: Props) {
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
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset groups inputs; this lists problems
    <div ref={box} className={classes.summary} role="group" aria-labelledby="problem-summary" tabIndex={-1}>
      <p id="problem-summary" className={classes.title}>
        {message ?? t('form.problems')}
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
