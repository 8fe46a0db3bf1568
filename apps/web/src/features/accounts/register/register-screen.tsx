import type { Me } from '@hansom/contract/users'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { storeNewEmail, useAfterSignIn, useReturnUrl } from '../../../entities/accounts/after-sign-in.ts'
import { ConfirmMobileForm } from '../../../entities/users/confirm-mobile-form.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { signIn } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { FocusFirst } from '../../../ui/focus-first.tsx'
import { FormCard } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { RegisterForm } from './register-form.tsx'
import type { SignUpResult } from './sign-up-form.ts'

/** Sign-up as a rider or driver, followed by the result. */
export function RegisterScreen() {
  const { t } = useText()
  const { as } = useSearch({ from: '/public/register' })
  const [usertype, setUsertype] = useState<'rider' | 'driver'>(as === 'driver' ? 'driver' : 'rider')
  const [outcome, setOutcome] = useState<SignUpResult | null>(null)
  if (outcome) return <Registered outcome={outcome} />
  return (
    <FormCard wide title={t('register.title')} intro={t(`register.intro_${usertype}`)}>
      <Tabs
        label={t('register.as')}
        tabs={[
          { id: 'rider', label: t('register.as_rider') },
          { id: 'driver', label: t('register.as_driver') },
        ]}
        value={usertype}
        onChange={setUsertype}
      >
        <RegisterForm usertype={usertype} onDone={setOutcome} />
      </Tabs>
    </FormCard>
  )
}

const enterSeconds = 3

/**
 * Sign-up result. Approved users are signed in after three seconds, may confirm their number if phone sign-in is
 * enabled, and continue to the requested page. Others see the pending steps.
 */
function Registered({ outcome }: { outcome: SignUpResult }) {
  const mayEnter = outcome.approved && !outcome.emailToVerify
  return mayEnter ? <Entering outcome={outcome} /> : <Waiting outcome={outcome} />
}

function Waiting({ outcome }: { outcome: SignUpResult }) {
  const { t } = useText()
  return (
    <FormCard title={t('register.done_title')}>
      <Notice tone="good">
        {t(outcome.approved ? 'register.account_created' : 'register.account_waits')}
      </Notice>
      {outcome.emailToVerify ? <p>{t('error.email_verify_message')}</p> : null}
      <FocusFirst>
        <Link to="/login" replace className={buttonClass({ size: 'large', wide: true })}>
          {t('register.to_sign_in')}
        </Link>
      </FocusFirst>
    </FormCard>
  )
}

function Entering({ outcome: { email, password } }: { outcome: SignUpResult }) {
  const { t } = useText()
  const format = useFormat()
  const { MobileLoginEnabled } = useSettings()
  const navigate = useNavigate()
  const enter = useAfterSignIn()
  const askedFor = useReturnUrl()
  const [entered, setEntered] = useState<Me | null>(null)
  const [busy, setBusy] = useState(false)
  const begun = useRef(false)

  const begin = async () => {
    if (begun.current) return
    begun.current = true
    setBusy(true)
    try {
      const me = await signIn(email, password)
      if (me && MobileLoginEnabled && me.mobile_verified_at === null) setEntered(me)
      else await enter(me)
    } catch {
      // The sign-in page shows the reason when the user tries there.
      storeNewEmail(email)
      await navigate({ to: '/login', search: { next: askedFor ?? undefined }, replace: true })
    }
  }
  const latest = useRef(begin)
  latest.current = begin
  useEffect(() => {
    const timer = setTimeout(() => void latest.current(), enterSeconds * 1000)
    return () => clearTimeout(timer)
  }, [])

  if (entered) return <ConfirmNumber me={entered} onDone={() => void enter(entered)} />
  return (
    <FormCard title={t('register.done_title')}>
      <Notice tone="good">
        {t('register.account_create_successfully', { seconds: format.number(enterSeconds) })}
      </Notice>
      <FocusFirst>
        <Button variant="primary" size="large" wide busy={busy} onClick={() => void begin()}>
          {t('login.continue')}
        </Button>
      </FocusFirst>
    </FormCard>
  )
}

/** Offered after sign-up if phone sign-in is enabled: confirms the number with a code. */
function ConfirmNumber({ me, onDone }: { me: Me; onDone: () => void }) {
  const { t } = useText()
  return (
    <FormCard title={t('register.number_title')} intro={t('register.number_intro')}>
      <ConfirmMobileForm me={me} own onDone={onDone} />
      <Button variant="quiet" wide onClick={onDone}>
        {t('register.number_later')}
      </Button>
    </FormCard>
  )
}
