import { passwordError } from '@hansom/domain/accounts/password'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { Button } from '../../../ui/button.tsx'
import { PlainForm } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { ErrorNotice, Section } from './section.tsx'

/** Changes the password, which ends all other sessions. */
export function PasswordSection() {
  const { t } = useText()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<{ current?: string; password?: string }>({})
  const change = useMutation({
    mutationFn: () => api.accounts.changePassword({ current, password }),
    onSuccess: async () => {
      setCurrent('')
      setPassword('')
      await queryClient.invalidateQueries({ queryKey: orpc.accounts.sessions.queryKey() })
    },
  })
  const submit = () => {
    const problem = passwordError(password)
    const found = {
      ...(current ? {} : { current: t('auth.password_needed') }),
      ...(problem ? { password: t(`error.${problem}`) } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length === 0 && !change.isPending) change.mutate()
  }
  return (
    <Section title={t('profile.password')} intro={t('profile.password_intro')}>
      <PlainForm onSubmit={submit}>
        <PasswordField
          label={t('profile.password_current')}
          name="current"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          error={wrong.current}
        />
        <PasswordField
          label={t('password.new')}
          name="new"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          hint={t('password.rules')}
          error={wrong.password}
        />
        {change.error?.key === 'login_error' ? (
          <Notice tone="bad">{t('profile.password_wrong')}</Notice>
        ) : (
          <ErrorNotice error={change.error} />
        )}
        {change.isSuccess ? <Notice tone="good">{t('profile.password_changed')}</Notice> : null}
        <Button type="submit" busy={change.isPending}>
          {t('profile.password_change')}
        </Button>
      </PlainForm>
    </Section>
  )
}
