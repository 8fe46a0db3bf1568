import type { NewUser, UserView } from '@hansom/contract/users'
import type { ErrorKey } from '@hansom/domain/error-keys'
import { isEmail, toE164 } from '@hansom/domain/users/contact'
import { userTextFields, type UserTextField } from '@hansom/domain/users/field-views'
import { type UserFieldGroup, userFields } from '@hansom/domain/users/fields'
import type { Role } from '@hansom/domain/users/roles'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, orpc } from '../../../lib/api.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { type Translate, useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogButtons } from '../../../ui/dialog-buttons.tsx'
import { errorText } from '../../../ui/error-message.tsx'
import { PhoneField, phoneParts } from '../../../ui/phone-field.tsx'
import { ProblemSummary, type Problems, refusedFields } from '../../../ui/problem-summary.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import fieldClasses from '../../../ui/text-field.module.css'
import { peopleKinds } from './people-kind.ts'
import classes from './people.module.css'

const ownNames = [...userTextFields('name'), 'email' as const]
const vehicleNames = userTextFields('vehicle')
const bankNames = userTextFields('bank')
type Name = UserTextField<UserFieldGroup> | 'email' | 'car_type_id'

interface Props {
  usertype: Role
  viewer: Role
  onClose: () => void
  onCreated: (person: UserView) => void
}

/** Adds a person. The password is theirs to set: an invitation goes to the e-mail. */
export function AddPersonDialog({ usertype, viewer, onClose, onCreated }: Props) {
  const { t } = useText()
  const form = useId()
  const { country, bank_fields } = useSettings()
  const [values, setValues] = useState<Partial<Record<Name, string>>>({})
  const [phone, setPhone] = useState({ country, mobile: '' })
  const [problems, setProblems] = useState<Problems>({})
  const [message, setMessage] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const [busy, setBusy] = useState(false)
  const driver = usertype === 'driver'
  const carTypes = useQuery({ ...orpc.carTypes.list.queryOptions(), enabled: driver })
  const asksBank = bank_fields && viewer === 'admin' && (driver || usertype === 'rider')

  const change = (name: Name, value: string) => {
    setValues((old) => ({ ...old, [name]: value }))
    setProblems(({ [name]: _fixed, ...rest }) => rest)
  }
  const refuse = (found: Problems, whole: string | null) => {
    setProblems(found)
    setMessage(whole)
    setTurn((now) => now + 1)
  }
  const submit = async () => {
    if (busy) return
    const found = problemsOf(values, phone, t)
    if (Object.keys(found).length > 0) return refuse(found, null)
    setBusy(true)
    try {
      const names = [
        ...ownNames,
        ...(driver ? [...vehicleNames, 'car_type_id' as const] : []),
        ...(asksBank ? bankNames : []),
      ]
      const given = names.flatMap((name) => {
        const value = values[name]?.trim()
        return value ? [[name, value] as const] : []
      })
      const { phoneCode, mobile } = phoneParts(phone)
      const whole = mobile ? toE164(phoneCode, mobile) : null
      onCreated(
        await api.users.create({
          ...(Object.fromEntries(given) as Omit<NewUser, 'usertype'>),
          usertype,
          ...(whole ? { mobile: whole } : {}),
        }),
      )
    } catch (cause) {
      const fields = refusedFields(cause, t)
      const clash =
        cause instanceof ApiError && cause.key === 'user_exists' && Object.keys(fields).length === 0
      refuse(clash ? { email: errorText(cause, t) } : fields, errorText(cause, t))
    } finally {
      setBusy(false)
    }
  }
  const line = (name: Name, more: { type?: string; hint?: string } = {}) => (
    <TextField
      {...more}
      key={name}
      dir={name !== 'email' && userFields[name].kind === 'text' ? 'auto' : 'ltr'}
      label={t(`people.${name}`)}
      name={name}
      autoComplete="off"
      value={values[name] ?? ''}
      onChange={(event) => change(name, event.target.value)}
      error={problems[name]}
    />
  )

  return (
    <Dialog
      open
      onClose={onClose}
      title={t(peopleKinds[usertype].add)}
      width={620}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {t('people.add')}
          </Button>
        </DialogButtons>
      }
    >
      <form
        id={form}
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <ProblemSummary problems={problems} message={message} labels={labels(t)} attempt={turn} />
        <div className={classes.pair}>{userTextFields('name').map((name) => line(name))}</div>
        {line('email', { type: 'email', hint: t('people.invitation_hint') })}
        <PhoneField
          value={phone}
          onChange={(next) => {
            setPhone(next)
            setProblems(({ mobile: _fixed, ...rest }) => rest)
          }}
          error={problems.mobile}
        />
        {driver ? (
          <fieldset className={classes.group}>
            <legend className={classes.legend}>{t('people.vehicle')}</legend>
            <label className={fieldClasses.field}>
              <span className={fieldClasses.label}>{t('people.carType')}</span>
              <select
                className={fieldClasses.input}
                name="car_type_id"
                value={values.car_type_id ?? ''}
                aria-invalid={problems.car_type_id ? true : undefined}
                onChange={(event) => change('car_type_id', event.target.value)}
              >
                <option value="">{t('table.none')}</option>
                {carTypes.data?.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <div className={classes.pair}>{vehicleNames.map((name) => line(name))}</div>
          </fieldset>
        ) : null}
        {asksBank ? (
          <fieldset className={classes.group}>
            <legend className={classes.legend}>{t('people.bank')}</legend>
            {bankNames.map((name) => line(name))}
          </fieldset>
        ) : null}
      </form>
    </Dialog>
  )
}

function problemsOf(
  values: Partial<Record<Name, string>>,
  phone: { country: string; mobile: string },
  t: Translate,
): Problems {
  const { phoneCode, mobile } = phoneParts(phone)
  const found: [Name | 'mobile', ErrorKey][] = []
  for (const name of ['firstName', 'lastName'] as const)
    if (!values[name]?.trim()) found.push([name, 'proper_input_name'])
  if (!isEmail(values.email?.trim() ?? '')) found.push(['email', 'proper_email'])
  if (mobile && toE164(phoneCode, mobile) === null) found.push(['mobile', 'mobile_no_blank_error'])
  return Object.fromEntries(found.map(([name, key]) => [name, t(`error.${key}`)]))
}

function labels(t: Translate): Record<string, string> {
  const names: readonly Name[] = [...ownNames, 'car_type_id', ...vehicleNames, ...bankNames]
  return {
    ...Object.fromEntries(names.map((name) => [name, t(`people.${name}`)])),
    mobile: t('login.mobile'),
  }
}
