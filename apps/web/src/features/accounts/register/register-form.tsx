import { userTextFields } from '@hansom/domain/users/field-views'
import { userFields } from '@hansom/domain/users/fields'
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../../lib/api.ts'
import { type Translate, useText } from '../../../lib/i18n.ts'
import { useSearchParams } from '../../../lib/search-params.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { errorText } from '../../../ui/error-message.tsx'
import formClasses from '../../../ui/form-card.module.css'
import { PlainForm } from '../../../ui/form-card.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { PhoneField, phoneParts } from '../../../ui/phone-field.tsx'
import { ProblemSummary, type Problems, refusedFields } from '../../../ui/problem-summary.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { DriverFields, type LicenceUpload } from './driver-fields.tsx'
import classes from './register-screen.module.css'
import {
  emptySignUp,
  type SignUpResult,
  type SignUpValues,
  signUpProblems,
  signUpRequest,
} from './sign-up-form.ts'

interface Props {
  usertype: 'rider' | 'driver'
  onDone: (outcome: SignUpResult) => void
}

/** The sign-up form. Input is kept when the user switches the account type. */
export function RegisterForm({ usertype, onDone }: Props) {
  const { t, language } = useText()
  const { country, bank_fields, RiderWithDraw } = useSettings()
  const navigate = useNavigate()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const [{ ref = '' }] = useSearchParams()
  const [values, setValues] = useState<SignUpValues>(() => ({
    ...emptySignUp,
    // Referral id from the invitation link.
    referralId: ref.slice(0, 60),
  }))
  const [phone, setPhone] = useState({ country, mobile: '' })
  const upload = useRef<LicenceUpload>(null)
  /** Fields stay editable while the licence is uploading. */
  const newest = useRef({ values, phone, usertype })
  useEffect(() => {
    newest.current = { values, phone, usertype }
  })
  const [problems, setProblems] = useState<Problems>({})
  const [message, setMessage] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const [busy, setBusy] = useState(false)
  const asksBank = bank_fields && RiderWithDraw
  /** The driver's fields stay mounted, because they hold the picture that is sent. */
  const [wasDriver, setWasDriver] = useState(usertype === 'driver')
  if (usertype === 'driver' && !wasDriver) setWasDriver(true)

  const fix = (name: string) => setProblems(({ [name]: _fixed, ...rest }) => rest)
  const change = (name: keyof SignUpValues, value: string) => {
    setValues((old) => ({ ...old, [name]: value }))
    fix(name)
  }
  const refuse = (found: Problems, summary: string | null) => {
    setProblems(found)
    setMessage(summary)
    setTurn((now) => now + 1)
  }
  /** Shows the problems of the fields; returns whether there are none. */
  const check = (uploadId: string | null): boolean => {
    const form = newest.current
    const found = signUpProblems(form.values, phoneParts(form.phone), form.usertype, uploadId)
    if (Object.keys(found).length === 0) return true
    refuse(problemTexts(found, t), null)
    return false
  }
  /** Waits for the upload, and for the next one if the picture is changed meanwhile. */
  const uploaded = async (): Promise<string | null> => {
    const pending = upload.current
    const uploadId = await pending
    return pending === upload.current ? uploadId : uploaded()
  }
  const submit = async () => {
    if (busy) return
    setBusy(true)
    try {
      // The licence may still be uploading.
      if (!check(upload.current && 'pending')) return
      const uploadId = usertype === 'driver' ? await uploaded() : null
      if (!check(uploadId)) return
      const form = newest.current
      const input = signUpRequest(form.values, phoneParts(form.phone), form.usertype, uploadId, asksBank)
      const outcome = await api.accounts.signUp({ ...input, locale: language.langLocale })
      onDone({ ...outcome, email: input.email ?? '', password: form.values.password })
    } catch (cause) {
      refuse(refusedFields(cause, t), errorText(cause, t))
    } finally {
      setBusy(false)
    }
  }
  const line = (name: keyof SignUpValues, kind: { type?: string; autoComplete: string; dir?: 'ltr' }) => (
    <TextField
      {...kind}
      label={t(`register.${name}`)}
      name={name}
      value={values[name]}
      onChange={(event) => change(name, event.target.value)}
      error={problems[name]}
    />
  )

  return (
    <PlainForm onSubmit={() => void submit()}>
      <ProblemSummary problems={problems} message={message} labels={labels(t)} attempt={turn} />
      <div className={formClasses.pair}>
        {line('firstName', { autoComplete: 'given-name' })}
        {line('lastName', { autoComplete: 'family-name' })}
      </div>
      {line('email', { type: 'email', autoComplete: 'email', dir: 'ltr' })}
      <PasswordField
        label={t('register.password')}
        autoComplete="new-password"
        value={values.password}
        onChange={(password) => change('password', password)}
        hint={t('password.rules')}
        error={problems.password}
      />
      <PhoneField
        value={phone}
        onChange={(next) => {
          setPhone(next)
          fix('mobile')
        }}
        hint={t('login.mobile_hint')}
        error={problems.mobile}
      />
      {wasDriver ? (
        <div hidden={usertype !== 'driver'}>
          <DriverFields
            values={values}
            onChange={change}
            onUpload={(next) => {
              upload.current = next
              fix('licenseImage')
            }}
            problems={problems}
          />
        </div>
      ) : null}
      <OptionalFields values={values} onChange={change} asksBank={asksBank} problems={problems} />
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {t('register.action')}
      </Button>
      <Button
        variant="quiet"
        wide
        onClick={() => (canGoBack ? router.history.back() : void navigate({ to: '/login' }))}
      >
        {t('common.back')}
      </Button>
    </PlainForm>
  )
}

function problemTexts(found: ReturnType<typeof signUpProblems>, t: Translate): Problems {
  return Object.fromEntries(Object.entries(found).map(([name, key]) => [name, t(`error.${key}`)]))
}

function labels(t: Translate): Record<string, string> {
  const names = Object.keys(emptySignUp) as (keyof SignUpValues)[]
  return {
    ...Object.fromEntries(names.map((name) => [name, t(`register.${name}`)])),
    licenseImage: t('register.licence'),
    mobile: t('login.mobile'),
  }
}

const bankNames = userTextFields('bank')

interface OptionalProps {
  values: SignUpValues
  onChange: (name: keyof SignUpValues, value: string) => void
  asksBank: boolean
  problems: Problems
}

/** Optional sign-up fields: collapsed until the user opens them or one of them has an error. */
function OptionalFields({ values, onChange, asksBank, problems }: OptionalProps) {
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
