import { useText } from '../../lib/i18n.ts'
import { TextField } from '../../ui/text-field.tsx'
import classes from './register-screen.module.css'
import type { SignUpValues } from './sign-up-form.ts'

const names = ['bankName', 'bankCode', 'bankAccount'] as const

interface Props {
  values: SignUpValues
  onChange: (name: keyof SignUpValues, value: string) => void
}

/** Where withdrawals go; may be filled in later. */
export function BankFields({ values, onChange }: Props) {
  const { t } = useText()
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('register.bank')}</legend>
      {names.map((name) => (
        <TextField
          key={name}
          label={t(`register.${name}`)}
          name={name}
          autoComplete="off"
          dir={name === 'bankName' ? 'auto' : 'ltr'}
          value={values[name]}
          onChange={(event) => onChange(name, event.target.value)}
        />
      ))}
    </fieldset>
  )
}
