import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { signIn } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useGoHome } from '../../ui/use-go-home.ts'
import { DemoAccounts } from './demo-accounts.tsx'
import classes from './login-screen.module.css'

/** Only an address of this site may be returned to. */
function returnAddress(next: unknown): string | null {
  return typeof next === 'string' && /^\/(?!\/|\\)/.test(next) ? next : null
}

/** Sign-in by e-mail. Afterwards the page that was asked for opens, or the home of the person's role. */
export function LoginScreen() {
  const { t } = useText()
  const { demo } = useSettings()
  const navigate = useNavigate()
  const goHome = useGoHome()
  const { next } = useSearch({ strict: false }) as { next?: unknown }
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setMissing(!email.trim() || !password)
    if (!email.trim() || !password) return
    setBusy(true)
    try {
      const me = await signIn(email.trim(), password)
      const address = returnAddress(next)
      if (address) await navigate({ href: address, replace: true })
      else await goHome(me)
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }

  // Closing the alert clears the error and the fields.
  const clear = () => {
    setError(null)
    setPassword('')
    setEmail('')
  }

  return (
    <div className={classes.page}>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <h1 className={classes.title}>{t('auth.sign_in')}</h1>
        <TextField
          label={t('auth.email')}
          type="email"
          name="email"
          dir="ltr"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={missing && !email.trim() ? t('auth.email_needed') : null}
        />
        <TextField
          label={t('auth.password')}
          type="password"
          name="password"
          dir="ltr"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={missing && !password ? t('auth.password_needed') : null}
        />
        <Button type="submit" variant="primary" size="large" wide busy={busy}>
          {t('auth.sign_in')}
        </Button>
        {demo ? (
          <DemoAccounts
            onChoose={(account) => {
              setEmail(account.email)
              setPassword(account.password)
              setMissing(false)
            }}
          />
        ) : null}
      </form>
      <AlertDialog open={error !== null} onClose={clear}>
        <p>
          <ErrorMessage error={error} />
        </p>
      </AlertDialog>
    </div>
  )
}
