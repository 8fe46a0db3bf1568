import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useGoHome } from '../../entities/accounts/after-sign-in.ts'
import { api, orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { signIn } from '../../lib/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { errorText } from '../../ui/error-message.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { refusedFields } from '../../ui/problem-summary.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { SetupCityStep } from './setup-city.tsx'
import classes from './setup-screen.module.css'

const names = ['firstName', 'lastName', 'email'] as const
const kinds = {
  firstName: { type: 'text', autoComplete: 'given-name' },
  lastName: { type: 'text', autoComplete: 'family-name' },
  email: { type: 'email', autoComplete: 'username', dir: 'ltr' },
} as const

/**
 * Shows the city and creates the first admin. Opened by the one-time link in the server's log; closed forever afterwards.
 */
export function SetupScreen() {
  const { t } = useText()
  const { token } = useSearch({ from: '/public/setup' })
  const [isCityRight, setIsCityRight] = useState(false)
  const state = useQuery(orpc.setup.state.queryOptions({ input: { token } }))
  if (state.isPending)
    return (
      <div className={classes.page}>
        <LoadingState />
      </div>
    )
  if (state.isError) return <ErrorState error={state.error} onRetry={() => void state.refetch()} />
  if (!state.data.open) {
    return (
      <EmptyState
        heading="h1"
        title={t('auth.setup_closed')}
        action={
          <Link to="/login" className={buttonClass({ variant: 'primary' })}>
            {t('auth.sign_in')}
          </Link>
        }
      >
        {t('auth.setup_closed_text')}
      </EmptyState>
    )
  }
  const { city } = state.data
  if (city && !isCityRight) return <SetupCityStep city={city} onNext={() => setIsCityRight(true)} />
  return <FirstAdminForm token={token} {...(city && { onBack: () => setIsCityRight(false) })} />
}

function FirstAdminForm({ token, onBack }: { token: string | undefined; onBack?: () => void }) {
  const { t } = useText()
  const goHome = useGoHome()
  const [values, setValues] = useState({ firstName: '', lastName: '', email: '', password: '' })
  const create = useMutation({
    mutationFn: async () => {
      await api.setup.create({ ...values, token: token ?? '' })
      return signIn(values.email, values.password)
    },
    onSuccess: (me) => goHome(me),
  })
  const refused = refusedFields(create.error, t)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending) create.mutate()
  }
  return (
    <form className={classes.page} onSubmit={submit}>
      {onBack ? <p className={classes.step}>{t('auth.setup_step', { step: 2, count: 2 })}</p> : null}
      <h1 className={classes.title}>{t('auth.setup_title')}</h1>
      <p className={classes.intro}>{t('auth.setup_text')}</p>
      {names.map((name) => (
        <TextField
          key={name}
          {...kinds[name]}
          name={name}
          required
          label={t(`auth.${name}`)}
          value={values[name]}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          error={refused[name]}
        />
      ))}
      <PasswordField
        label={t('auth.password')}
        autoComplete="new-password"
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
        hint={t('password.rules')}
        error={refused.password}
      />
      {create.isError ? (
        <p role="alert" className={classes.error}>
          {errorText(create.error, t)}
        </p>
      ) : null}
      <Button type="submit" variant="primary" size="large" wide busy={create.isPending}>
        {t('auth.setup_action')}
      </Button>
      {onBack ? (
        <Button wide onClick={onBack}>
          {t('common.back')}
        </Button>
      ) : null}
    </form>
  )
}
