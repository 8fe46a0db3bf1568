import { reasonLimits } from '@hansom/domain/cancel-reasons/reasons'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import choiceClasses from '../../ui/choice.module.css'
import { TextField } from '../../ui/text-field.tsx'
import classes from './admin-reason.module.css'
import { reasonText } from './reason-text.ts'

const other = 'other'

interface Props {
  label: string
  /** Keys of suggested reasons, and labels of the installation's list. */
  reasons: readonly string[]
  /** The chosen reason or the own text; empty while there is none. */
  onChange: (reason: string) => void
}

/** An admin's reason: one of the suggestions, or a text. */
export function AdminReason({ label, reasons, onChange }: Props) {
  const { t } = useText()
  const [chosen, setChosen] = useState<string | null>(null)
  const [text, setText] = useState('')
  const choose = (reason: string) => {
    setChosen(reason)
    onChange(reason === other ? text.trim() : reason)
  }
  return (
    <fieldset className={classes.reasons}>
      <legend>{label}</legend>
      {[...new Set([...reasons, other])].map((reason) => (
        <label key={reason} className={choiceClasses.choice}>
          <input
            type="radio"
            name="admin-reason"
            checked={chosen === reason}
            onChange={() => choose(reason)}
          />
          <span>{reasonText(reason, t)}</span>
        </label>
      ))}
      {chosen === other ? (
        <TextField
          label={t('trip.reason_text')}
          maxLength={reasonLimits.label}
          required
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            onChange(event.target.value.trim())
          }}
        />
      ) : null}
    </fieldset>
  )
}
