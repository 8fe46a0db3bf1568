import { ApiError } from '@hansom/client/api-error'
import type { Me } from '@hansom/contract/users'
import { IconBrandAppleFilled, IconBrandFacebookFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  newEmail,
  useAfterSignIn,
  useGoHome,
  useReturnUrl,
} from '../../../entities/accounts/after-sign-in.ts'
import { leaveSafely } from '../../../entities/users/leave.ts'
import { orpc } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { sessionError, useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorMessage, errorText } from '../../../ui/error-message.tsx'
import { FocusFirst } from '../../../ui/focus-first.tsx'
import { FormCard } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { EmailForm } from './email-form.tsx'
import classes from './login-screen.module.css'
import { PhoneForm } from './phone-form.tsx'

/** The sign-in methods. After sign-in, the requested page or the role's start page opens. */
export function LoginScreen() {
  const { t } = useText()
  const settings = useSettings()
  const me = useMe()
  const enter = useAfterSignIn()
  const navigate = useNavigate()
  const returnUrl = useReturnUrl()
  const { social } = useSearch({ from: '/public/login' })
  const anyOther = settings.MobileLoginEnabled || settings.FacebookLoginEnabled || settings.AppleLoginEnabled
  const configured = useQuery({ ...orpc.accounts.ways.queryOptions(), enabled: anyOther }).data
  // Phone sign-in needs only its setting; the others also need server configuration. Settings update live, so they take
  // precedence over a cached response.
  const methods = {
    phone: settings.MobileLoginEnabled,
    facebook: settings.FacebookLoginEnabled && (configured?.facebook ?? false),
    apple: settings.AppleLoginEnabled && (configured?.apple ?? false),
  }
  const [method, setMethod] = useState<'email' | 'phone'>('email')
  const [error, setError] = useState<unknown>(() => sessionError() ?? refusedSocial(social))
  // A user who was already signed in sees the account card; a new sign-in navigates away.
  const [wasHere, setWasHere] = useState(me !== null)
  /** Increments on every failed attempt, which clears the fields. */
  const [failedAttempts, setFailedAttempts] = useState(0)
  const [tried, setTried] = useState('')

  const refuse = (cause: unknown, attempted = '') => {
    setError(cause)
    setTried(attempted)
    if (cause !== null) setFailedAttempts(failedAttempts + 1)
    // After another attempt, the social sign-in error must not reappear on reload.
    if (social !== undefined)
      void navigate({ to: '/login', search: { next: returnUrl ?? undefined }, replace: true })
  }

  if (me && wasHere && error === null) {
    return <SignedInCard me={me} fresh={social === 'done'} onLeave={() => setWasHere(false)} />
  }
  const chosen = methods.phone ? method : 'email'
  return (
    <FormCard title={t('auth.sign_in')}>
      <Tabs
        label={t('login.methods')}
        tabs={[
          { id: 'email', label: t('auth.email') },
          ...(methods.phone ? [{ id: 'phone' as const, label: t('login.phone') }] : []),
        ]}
        value={chosen}
        onChange={(next) => {
          setMethod(next)
          setError(null)
        }}
      >
        {error === null ? null : (
          <div className={classes.refusal}>
            <Notice tone="bad">
              <ErrorMessage error={error} />
              <Waiting error={error} />
              <Rejection error={error} />
            </Notice>
          </div>
        )}
        {chosen === 'phone' ? (
          <PhoneForm failedAttempts={failedAttempts} onEnter={enter} onError={refuse} />
        ) : (
          <EmailForm
            key={failedAttempts}
            hasFailed={failedAttempts > 0}
            onEnter={enter}
            onError={refuse}
            initialEmail={failedAttempts === 0 ? newEmail() : ''}
            tried={tried}
          />
        )}
      </Tabs>
      <SocialButtons methods={methods} />
      <p className={classes.register}>
        {t('login.new_here')}
        <Link
          to="/register"
          search={{ next: returnUrl ?? undefined }}
          className={buttonClass({ variant: 'secondary', wide: true })}
        >
          {t('login.register')}
        </Link>
      </p>
    </FormCard>
  )
}

/** Shows how long the server asks to wait. */
function Waiting({ error }: { error: unknown }) {
  const { t } = useText()
  const seconds = error instanceof ApiError ? error.data.retryAfterS : undefined
  if (typeof seconds !== 'number') return null
  return <p className={classes.waiting}>{t('login.wait', { seconds: Math.ceil(seconds) })}</p>
}

/** Shows why an admin rejected the account. */
function Rejection({ error }: { error: unknown }) {
  const { t } = useText()
  const reason = error instanceof ApiError ? error.data.reason : undefined
  if (typeof reason !== 'string') return null
  return <p className={classes.waiting}>{t('login.rejected_for', { reason: isolated(reason) })}</p>
}

/** The error of a social sign-in in the URL, or null. */
function refusedSocial(social: unknown): ApiError | null {
  if (typeof social !== 'string' || social === 'done') return null
  return new ApiError(social as ApiError['key'], 400)
}

/**
 * Shown to users who are already signed in: the account after a social sign-in, or a notice that the requested page is
 * not available to this account.
 */
function SignedInCard({ me, fresh, onLeave }: { me: Me; fresh: boolean; onLeave: () => void }) {
  const { t } = useText()
  const enter = useAfterSignIn()
  const goHome = useGoHome()
  const returnUrl = useReturnUrl()
  const leave = async () => {
    try {
      if (await leaveSafely()) onLeave()
    } catch (error) {
      announce(errorText(error, t))
    }
  }
  const byMobile = !me.email && me.mobile
  return (
    <FormCard title={fresh ? t('auth.sign_in') : t('login.signed_in')}>
      {fresh ? <Notice tone="good">{t('login.login_success')}</Notice> : null}
      {!fresh && returnUrl ? <Notice tone="plain">{t('login.other_account')}</Notice> : null}
      <TextField
        label={byMobile ? t('auth.mobile') : t('auth.email')}
        dir="ltr"
        value={byMobile ? (me.mobile ?? '') : (me.email ?? '')}
        readOnly
        disabled
      />
      <FocusFirst>
        <Button variant="primary" size="large" wide onClick={() => void (fresh ? enter(me) : goHome(me))}>
          {t('login.continue')}
        </Button>
      </FocusFirst>
      <Button variant="quiet" wide onClick={() => void leave()}>
        {t('login.other')}
      </Button>
    </FormCard>
  )
}

const providers = [
  { id: 'facebook', Icon: IconBrandFacebookFilled },
  { id: 'apple', Icon: IconBrandAppleFilled },
] as const

/** Social sign-in buttons for the methods that are enabled and configured. */
function SocialButtons({ methods }: { methods: { facebook: boolean; apple: boolean } }) {
  const { t } = useText()
  const returnUrl = useReturnUrl()
  const shown = providers.filter(({ id }) => methods[id])
  if (shown.length === 0) return null
  const from = encodeURIComponent(returnUrl ?? '/')
  return (
    <div className={classes.social}>
      <p className={classes.or}>{t('login.or')}</p>
      {shown.map(({ id, Icon }) => (
        <a key={id} href={`/api/auth/social/${id}?from=${from}`} className={buttonClass({ wide: true })}>
          <Icon size={20} aria-hidden />
          {t(`login.with_${id}`)}
        </a>
      ))}
    </div>
  )
}
