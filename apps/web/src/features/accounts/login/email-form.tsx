import { ApiError } from '@hansom/client/api-error'
import type { Me } from '@hansom/contract/users'
import { isEmail } from '@hansom/domain/users/contact'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { serverSpeed } from '../../../lib/clock.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { signIn } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { FocusFirst } from '../../../ui/focus-first.tsx'
import { PlainForm } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
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

/** The accounts of a demo installation; they exist nowhere else. */
const accounts = [
  { role: 'rider', email: 'rider@demo.test' },
  { role: 'driver', email: 'driver@demo.test' },
  { role: 'fleetadmin', email: 'fleet@demo.test' },
  { role: 'admin', email: 'admin@demo.test' },
] as const
const password = 'demo2026'

/** Fills the form with a demo account on one tap. */
function DemoAccounts({ onChoose }: { onChoose: (account: { email: string; password: string }) => void }) {
  const { t } = useText()
  const format = useFormat()
  const speed = serverSpeed()
  return (
    <fieldset className={classes.demo}>
      <legend>{t('auth.demo_accounts')}</legend>
      <div className={classes.accounts}>
        {accounts.map(({ role, email }) => (
          <Button key={role} size="small" onClick={() => onChoose({ email, password })}>
            {t(`auth.role_${role}`)}
          </Button>
        ))}
      </div>
      {speed === 1 ? null : (
        <p className={classes.speed}>{t('auth.demo_speed', { speed: format.number(speed, 1) })}</p>
      )}
    </fieldset>
  )
}

/** Requests a password reset email. Shows the same message whether or not the email is known. */
function ForgotDialog({ email: first, onClose }: { email: string; onClose: () => void }) {
  const { t } = useText()
  const [email, setEmail] = useState(first)
  const [wrong, setWrong] = useState(false)
  const send = useMutation({ mutationFn: () => api.accounts.forgotPassword({ email: email.trim() }) })

  const submit = () => {
    setWrong(!isEmail(email.trim()))
    if (isEmail(email.trim()) && !send.isPending) send.mutate()
  }

  return (
    <Dialog open onClose={onClose} title={t('login.forgot_title')}>
      {send.isSuccess ? (
        <PlainForm key="sent" onSubmit={onClose}>
          <Notice tone="good">{t('login.reset_pass_msg')}</Notice>
          <FocusFirst>
            <Button type="submit" variant="primary" wide>
              {t('common.close')}
            </Button>
          </FocusFirst>
        </PlainForm>
      ) : (
        <PlainForm key="ask" onSubmit={submit}>
          <p>{t('login.forgot_text')}</p>
          <FocusFirst>
            <TextField
              label={t('auth.email')}
              type="email"
              name="email"
              dir="ltr"
              autoComplete="username"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              error={wrong ? t('error.proper_email') : null}
            />
          </FocusFirst>
          {send.isError ? (
            <Notice tone="bad">
              <ErrorMessage error={send.error} />
            </Notice>
          ) : null}
          <Button type="submit" variant="primary" wide busy={send.isPending}>
            {t('login.forgot_send')}
          </Button>
        </PlainForm>
      )}
    </Dialog>
  )
}
