import type { UserTextField } from '@hansom/domain/users/field-views'
import { userFields } from '@hansom/domain/users/fields'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { orpc } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import formClasses from '../../../ui/form-card.module.css'
import type { Problems } from '../../../ui/problem-summary.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { LicenceField } from './licence-field.tsx'
import fieldClasses from '../../../ui/text-field.module.css'
import classes from './register-screen.module.css'
import type { SignUpValues } from './sign-up-form.ts'

interface Props {
  values: SignUpValues
  onChange: (name: keyof SignUpValues, value: string) => void
  onUpload: (uploadId: string | null) => void
  problems: Problems
}

/** Additional sign-up fields for drivers: car, car type and licence. */
export function DriverFields({ values, onChange, onUpload, problems }: Props) {
  const { t } = useText()
  const id = useId()
  const carTypes = useQuery(orpc.carTypes.list.queryOptions())
  const line = (name: UserTextField<'vehicle'>) => (
    <TextField
      label={t(`register.${name}`)}
      name={name}
      autoComplete="off"
      dir={userFields[name].kind === 'code' ? 'ltr' : 'auto'}
      value={values[name]}
      autoCapitalize={name === 'vehicleNumber' ? 'characters' : undefined}
      // Riders compare it with the plate letter by letter.
      onChange={({ target }) =>
        onChange(name, name === 'vehicleNumber' ? target.value.toUpperCase() : target.value)
      }
      error={problems[name]}
    />
  )
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('register.vehicle')}</legend>
      <div className={formClasses.pair}>
        {line('vehicleMake')}
        {line('vehicleModel')}
        {line('vehicleNumber')}
        <div className={fieldClasses.field}>
          <label className={fieldClasses.label} htmlFor={id}>
            {t('register.carType')}
          </label>
          <select
            id={id}
            name="carType"
            className={`${fieldClasses.input} ${classes.select}`}
            value={values.carType}
            onChange={(event) => onChange('carType', event.target.value)}
            aria-invalid={problems.carType ? true : undefined}
            aria-describedby={problems.carType ? `${id}-error` : undefined}
          >
            <option value="">{t('register.choose')}</option>
            {carTypes.data?.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          {problems.carType ? (
            <span id={`${id}-error`} className={fieldClasses.error} role="alert">
              {problems.carType}
            </span>
          ) : null}
        </div>
      </div>
      {line('other_info')}
      <LicenceField onUpload={onUpload} error={problems.licenseImage} />
    </fieldset>
  )
}
