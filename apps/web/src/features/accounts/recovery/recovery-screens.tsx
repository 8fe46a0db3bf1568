import { ApiError } from '@hansom/client/api-error'
import { passwordError } from '@hansom/domain/accounts/sign-up'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { storedPhoneProof, storePhoneProof } from '../../../entities/users/phone-proof.ts'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSearchParams } from '../../../lib/search-params.ts'
import { refreshMe, switchSession, useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { FormCard, PlainForm } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'

interface ConfirmProps {
  title: string
  intro: string
  action: string
  done: string
  onConfirm: (input: { token: string }) => Promise<unknown>
}

/** Confirms an email link on a button press, because mail scanners open links too. */
function ConfirmLinkCard({ title, intro, action, done, onConfirm }: ConfirmProps) {
  const { t } = useText()
  const me = useMe()
  const token = useLinkToken()
  const confirm = useMutation({
    mutationFn: () => (token ? onConfirm({ token }) : Promise.reject(new ApiError('link_expired', 410))),
    onSuccess: () => refreshMe(),
  })
  return (
    <FormCard title={title} intro={confirm.isSuccess ? null : intro}>
      {confirm.isSuccess ? <Notice tone="good">{done}</Notice> : null}
      {confirm.isError ? (
        <Notice tone="bad">
          <ErrorMessage error={confirm.error} />
        </Notice>
      ) : null}
      {confirm.isSuccess ? (
        <Link
          to={me ? '/profile' : '/login'}
          replace
          className={buttonClass({ variant: 'primary', size: 'large', wide: true })}
        >
          {me ? t('auth.profile') : t('auth.sign_in')}
        </Link>
      ) : (
        <Button variant="primary" size="large" wide busy={confirm.isPending} onClick={() => confirm.mutate()}>
          {action}
        </Button>
      )}
    </FormCard>
  )
}

/** The token in the URL; empty if there is none. */
function useLinkToken(): string {
  const [{ token = '' }] = useSearchParams()
  return token
}

/** Target of the link in a verification email. */
export function VerifyEmailScreen() {
  const { t } = useText()
  return (
    <ConfirmLinkCard
      title={t('password.verify_title')}
      intro={t('password.verify_intro')}
      action={t('password.verify_action')}
      done={t('password.verify_done')}
      onConfirm={(input) => api.accounts.verifyEmail(input)}
    />
  )
}

/** Target of the link to a new email address; the address changes only on confirmation. */
export function ConfirmEmailScreen() {
  const { t } = useText()
  return (
    <ConfirmLinkCard
      title={t('password.change_email_title')}
      intro={t('password.change_email_intro')}
      action={t('password.change_email_action')}
      done={t('password.change_email_done')}
      onConfirm={(input) => api.accounts.confirmEmailChange(input)}
    />
  )
}

/**
 * Target of the link that completes a first sign-in by phone. Works only in the browser where the code was entered, and
 * signs in.
 */
export function ConfirmMobileScreen() {
  const { t } = useText()
  return (
    <ConfirmLinkCard
      title={t('password.mobile_title')}
      intro={t('password.mobile_intro')}
      action={t('auth.sign_in')}
      done={t('login.login_success')}
      onConfirm={async ({ token: link }) => {
        const proof = storedPhoneProof()
        if (proof === null) throw new ApiError('link_other_browser', 0)
        await api.accounts.provePhone({ proof, link })
        storePhoneProof(null)
        await switchSession()
      }}
    />
  )
}

interface SetProps {
  title: string
  intro: string
  action: string
  done: string
  /** Sets the password of the user to whom the token belongs. */
  onSet: (input: { token: string; password: string }) => Promise<unknown>
}

/** Sets a password through an email link; then leads to sign-in. */
function SetPasswordCard({ title, intro, action, done, onSet }: SetProps) {
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

/** Target of the link in a password reset email. */
export function ResetPasswordScreen() {
  const { t } = useText()
  return (
    <SetPasswordCard
      title={t('password.reset_title')}
      intro={t('password.reset_intro')}
      action={t('password.reset_action')}
      done={t('password.reset_done')}
      onSet={(input) => api.accounts.resetPassword(input)}
    />
  )
}

/** Target of the invitation link for users created by an admin. */
export function InvitationScreen() {
  const { t } = useText()
  const { appName } = useSettings()
  return (
    <SetPasswordCard
      title={t('password.invitation_title', { appName })}
      intro={t('password.invitation_intro')}
      action={t('password.invitation_action')}
      done={t('password.invitation_done')}
      onSet={(input) => api.accounts.acceptInvitation(input)}
    />
  )
}
