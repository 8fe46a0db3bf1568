import type { Me } from '@hansom/contract/users'
import { isEmail } from '@hansom/domain/users/contact'
import { useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { signIn } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { FocusFirst } from '../../../ui/focus-first.tsx'
import { PlainForm } from '../../../ui/form-card.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { DemoAccounts } from './demo-accounts.tsx'
import { ForgotDialog } from './forgot-dialog.tsx'
import classes from './login-screen.module.css'

interface Props {
  /** An attempt failed: focus the first field. */
  hasFailed: boolean
  onEnter: (me: Me | null) => Promise<void>
  /** `email` is the email of the failed attempt. */
  onError: (error: unknown, email: string) => void
  /** Initial email. */
  initialEmail: string
  /** The email of the failed attempt; one tap restores it. */
  tried: string
}

/** Signs in by email and password. The parent resets it with a new key after a failed attempt. */
export function EmailForm({ hasFailed, onEnter, onError, initialEmail, tried }: Props) {
  const { t } = useText()
  const { demo } = useSettings()
  const [email, setEmail] = useState(initialEmail)
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [forgot, setForgot] = useState(false)

  const refuse = (error: unknown) => onError(error, email.trim())
  const submit = async () => {
    if (busy) return
    if (!isEmail(email.trim()) || !password) return refuse(new ApiError('login_validate_error', 400))
    setBusy(true)
    try {
      await onEnter(await signIn(email.trim(), password))
    } catch (cause) {
      refuse(cause)
    } finally {
      setBusy(false)
    }
  }

  const address = (
    <TextField
      label={t('auth.email')}
      type="email"
      name="email"
      dir="ltr"
      autoComplete="username"
      value={email}
      onChange={(event) => setEmail(event.target.value)}
    />
  )
  return (
    <>
      <PlainForm onSubmit={() => void submit()}>
        {hasFailed ? <FocusFirst>{address}</FocusFirst> : address}
        {tried && !email ? (
          <Button variant="quiet" size="small" className={classes.tried} onClick={() => setEmail(tried)}>
            {t('login.again_with', { email: isolated(tried) })}
          </Button>
        ) : null}
        <div className={classes.password}>
          <PasswordField
            label={t('auth.password')}
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
          <Button variant="quiet" size="small" className={classes.forgot} onClick={() => setForgot(true)}>
            {t('login.forgot')}
          </Button>
        </div>
        <Button type="submit" variant="primary" size="large" wide busy={busy}>
          {t('auth.sign_in')}
        </Button>
        {demo ? (
          <DemoAccounts
            onChoose={(account) => {
              setEmail(account.email)
              setPassword(account.password)
            }}
          />
        ) : null}
      </PlainForm>
      {forgot ? <ForgotDialog email={email.trim()} onClose={() => setForgot(false)} /> : null}
    </>
  )
}
