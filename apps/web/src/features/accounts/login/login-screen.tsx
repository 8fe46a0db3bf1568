import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { orpc } from '../../../lib/api.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { useText } from '../../../lib/i18n.ts'
import { newEmail } from '../../../entities/accounts/new-account.ts'
import { sessionError, useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { FormCard } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useReturnUrl } from '../../../entities/accounts/use-return-url.ts'
import { useAfterSignIn } from '../../../entities/accounts/use-after-sign-in.ts'
import { EmailForm } from './email-form.tsx'
import classes from './login-screen.module.css'
import { PhoneForm } from './phone-form.tsx'
import { SignedInCard } from './signed-in-card.tsx'
import { SocialButtons } from './social-buttons.tsx'

/** The sign-in methods. After sign-in, the requested page or the role's start page opens. */
export function LoginScreen() {
  const { t } = useText()
  const settings = useSettings()
  const me = useMe()
  const enter = useAfterSignIn()
  const navigate = useNavigate()
  const askedFor = useReturnUrl()
  const { social } = useSearch({ from: '/public/login' })
  const anyOther = settings.MobileLoginEnabled || settings.FacebookLoginEnabled || settings.AppleLoginEnabled
  const asked = useQuery({ ...orpc.accounts.ways.queryOptions(), enabled: anyOther }).data
  // Phone sign-in needs only its setting; the others also need server configuration. Settings update live, so they take
  // precedence over a cached response.
  const ways = {
    phone: settings.MobileLoginEnabled,
    facebook: settings.FacebookLoginEnabled && (asked?.facebook ?? false),
    apple: settings.AppleLoginEnabled && (asked?.apple ?? false),
  }
  const [way, setWay] = useState<'email' | 'phone'>('email')
  const [error, setError] = useState<unknown>(() => sessionError() ?? refusedSocial(social))
  // A user who was already signed in sees the account card; after a new sign-in, the form navigates on.
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
      void navigate({ to: '/login', search: { next: askedFor ?? undefined }, replace: true })
  }

  if (me && wasHere && error === null) {
    return <SignedInCard me={me} fresh={social === 'done'} onLeave={() => setWasHere(false)} />
  }
  const chosen = ways.phone ? way : 'email'
  return (
    <FormCard title={t('auth.sign_in')}>
      <Tabs
        label={t('login.ways')}
        tabs={[
          { id: 'email', label: t('auth.email') },
          ...(ways.phone ? [{ id: 'phone' as const, label: t('login.phone') }] : []),
        ]}
        value={chosen}
        onChange={(next) => {
          setWay(next)
          setError(null)
        }}
      >
        {error === null ? null : (
          <div className={classes.refusal}>
            <Notice tone="bad">
              <ErrorMessage error={error} />
              <Waiting error={error} />
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
      <SocialButtons ways={ways} />
      <p className={classes.register}>
        {t('login.new_here')}
        <Link
          to="/register"
          search={{ next: askedFor ?? undefined }}
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

/** The error of a social sign-in in the URL, or null. */
function refusedSocial(social: unknown): ApiError | null {
  if (typeof social !== 'string' || social === 'done') return null
  return new ApiError(social as ApiError['key'], 400)
}
