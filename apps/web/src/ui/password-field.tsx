import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import classes from './password-field.module.css'
import fieldClasses from './text-field.module.css'

interface Props {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  name?: string
  autoComplete: 'current-password' | 'new-password'
  hint?: ReactNode
  error?: ReactNode
}

/** Rules for generated passwords; they match `@hansom/domain/accounts/sign-up`. */
const generatorRules = {
  passwordrules:
    'minlength: 6; maxlength: 30; required: lower; required: upper; required: digit; allowed: [*@#];',
}

/** A password input with a show button. Accepts paste and password managers. */
export function PasswordField({
  label,
  value,
  onChange,
  name = 'password',
  autoComplete,
  hint,
  error,
}: Props) {
  const { t } = useText()
  const id = useId()
  const [shown, setShown] = useState(false)
  const Icon = shown ? IconEyeOff : IconEye
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={fieldClasses.field}>
      <label className={fieldClasses.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.line} dir="ltr">
        <input
          id={id}
          className={fieldClasses.input}
          name={name}
          type={shown ? 'text' : 'password'}
          autoComplete={autoComplete}
          {...(autoComplete === 'new-password' ? generatorRules : {})}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
        />
        <Button
          variant="quiet"
          size="icon"
          className={classes.eye}
          aria-label={t('password.show')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon size={20} stroke={1.7} aria-hidden />
        </Button>
      </div>
      {hint ? (
        <span id={`${id}-hint`} className={fieldClasses.hint}>
          {hint}
        </span>
      ) : null}
      {error ? (
        <span id={`${id}-error`} className={fieldClasses.error} role="alert">
          {error}
        </span>
      ) : null}
    </div>
  )
}
