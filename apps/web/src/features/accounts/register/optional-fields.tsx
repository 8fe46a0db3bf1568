import { userTextFields } from '@hansom/domain/users/field-views'
import { userFields } from '@hansom/domain/users/fields'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.ts'
import type { Problems } from '../../../ui/problem-summary.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import classes from './register-screen.module.css'
import type { SignUpValues } from './sign-up-form.ts'

const bankNames = userTextFields('bank')

interface Props {
  values: SignUpValues
  onChange: (name: keyof SignUpValues, value: string) => void
  asksBank: boolean
  problems: Problems
}

/** Optional sign-up fields: collapsed until the user opens them or one of them has an error. */
export function OptionalFields({ values, onChange, asksBank, problems }: Props) {
  const { t } = useText()
  const names = ['referralId', ...(asksBank ? bankNames : [])] as const
  const [open, setOpen] = useState(() => names.some((name) => values[name] !== ''))
  const isWrong = names.some((name) => problems[name])
  return (
    <details
      className={classes.optional}
      open={open || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{asksBank ? t('register.optional_bank') : t('register.optional')}</summary>
      <div className={classes.optionalFields}>
        {names.map((name) => (
          <TextField
            key={name}
            label={t(`register.${name}`)}
            name={name}
            autoComplete="off"
            dir={name !== 'referralId' && userFields[name].kind === 'text' ? 'auto' : 'ltr'}
            value={values[name]}
            onChange={(event) => onChange(name, event.target.value)}
            hint={name === 'referralId' ? t('register.referral_hint') : undefined}
            error={problems[name]}
          />
        ))}
      </div>
    </details>
  )
}
