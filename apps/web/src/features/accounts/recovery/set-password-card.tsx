import { passwordError } from '@hansom/domain/accounts/password'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { FormCard, PlainForm } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { useLinkToken } from './link-token.ts'

interface Props {
  title: string
  intro: string
  action: string
  done: string
  /** Sets the password of the user to whom the token belongs. */
  onSet: (input: { token: string; password: string }) => Promise<unknown>
}

/** Sets a password through an email link; then leads to sign-in. */
export function SetPasswordCard({ title, intro, action, done, onSet }: Props) {
  const { t } = useText()
  const token = useLinkToken()
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const set = useMutation({ mutationFn: () => onSet({ token, password }) })
  const expired = token === '' || (set.error instanceof ApiError && set.error.key === 'link_expired')

  const submit = () => {
    const problem = passwordError(password)
    setWrong(problem ? t(`error.${problem}`) : null)
    if (!problem && !set.isPending) set.mutate()
  }
  if (set.isSuccess || expired) {
    return (
      <FormCard title={title}>
        <Notice tone={set.isSuccess ? 'good' : 'bad'}>
          {set.isSuccess ? done : t('error.link_expired')}
        </Notice>
        <Link to="/login" replace className={buttonClass({ variant: 'primary', size: 'large', wide: true })}>
          {t('auth.sign_in')}
        </Link>
      </FormCard>
    )
  }
  return (
    <FormCard title={title} intro={intro}>
      <PlainForm onSubmit={submit}>
        <PasswordField
          label={t('password.new')}
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          hint={t('password.rules')}
          error={wrong}
        />
        {set.isError ? (
          <Notice tone="bad">
            <ErrorMessage error={set.error} />
          </Notice>
        ) : null}
        <Button type="submit" variant="primary" size="large" wide busy={set.isPending}>
          {action}
        </Button>
      </PlainForm>
    </FormCard>
  )
}
