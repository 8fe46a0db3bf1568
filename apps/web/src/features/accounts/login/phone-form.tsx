import { ApiError } from '@hansom/client/api-error'
import type { Me } from '@hansom/contract/users'
import { isLoginCode, toE164 } from '@hansom/domain/users/contact'
import { useState } from 'react'
import { storePhoneProof, withWork } from '../../../entities/users/phone-proof.ts'
import { api } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { switchSession } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeField, ResendButton } from '../../../ui/code-field.tsx'
import { FocusFirst } from '../../../ui/focus-first.tsx'
import { PlainForm } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { PhoneField, phoneParts } from '../../../ui/phone-field.tsx'
import classes from './login-screen.module.css'

interface Props {
  /** Increments on every failed attempt, which clears the typed text; a code already sent stays valid. */
  failedAttempts: number
  onEnter: (me: Me | null) => Promise<void>
  onError: (error: unknown) => void
}

interface Sent {
  verificationId: string
  /** Epoch ms of the device's clock. */
  resendAt: number
}

/**
 * Signs in by phone: the number, then the code. The number is locked until the code is verified or the user cancels.
 */
export function PhoneForm({ failedAttempts, onEnter, onError }: Props) {
  const { t } = useText()
  const { country } = useSettings()
  const [phone, setPhone] = useState({ country, mobile: '' })
  const [sent, setSent] = useState<Sent | null>(null)
  const [otp, setOtp] = useState('')
  const [unproven, setUnproven] = useState<UnprovenPhone | null>(null)
  const [busy, setBusy] = useState(false)

  const [cleared, setCleared] = useState(failedAttempts)
  if (cleared !== failedAttempts) {
    setCleared(failedAttempts)
    setOtp('')
    if (!sent) setPhone({ country, mobile: '' })
  }

  const attempt = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    onError(null)
    try {
      await work()
    } catch (cause) {
      const asked = unprovenIn(cause)
      if (asked) return setUnproven(asked)
      onError(cause)
      setOtp('')
    } finally {
      setBusy(false)
    }
  }
  const requestCode = () =>
    attempt(async () => {
      const parts = phoneParts(phone)
      if (toE164(parts.phoneCode, parts.mobile) === null) throw new ApiError('mobile_no_blank_error', 400)
      const { verificationId, retryAfterS } = await withWork((work) =>
        api.accounts.requestPhoneCode({ ...parts, ...work }),
      )
      setSent({ verificationId, resendAt: Date.now() + retryAfterS * 1000 })
      announce(t('login.code_sent'))
    })
  const verify = ({ verificationId }: Sent) =>
    attempt(async () => {
      if (!isLoginCode(otp)) throw new ApiError('otp_validate_error', 400)
      await api.accounts.signInByPhone({ verificationId, otp })
      await onEnter(await switchSession())
    })
  const cancel = () => {
    onError(null)
    setSent(null)
    setUnproven(null)
    setOtp('')
    setPhone({ country, mobile: '' })
  }

  if (unproven) {
    return <ProvePhone unproven={unproven} onEnter={onEnter} onError={onError} onCancel={cancel} />
  }
  return (
    <PlainForm onSubmit={() => void (sent ? verify(sent) : requestCode())}>
      <PhoneField value={phone} onChange={setPhone} disabled={sent !== null} hint={t('login.mobile_hint')} />
      {sent ? (
        <>
          <Notice tone="plain">{t('login.code_sent')}</Notice>
          <div className={classes.password}>
            <CodeField label={t('login.code')} value={otp} onChange={setOtp} hint={t('login.code_hint')} />
            <span className={classes.forgot}>
              <ResendButton readyAt={sent.resendAt} onResend={() => void requestCode()} />
            </span>
          </div>
          <Button type="submit" variant="primary" size="large" wide busy={busy}>
            {t('login.verify')}
          </Button>
          <Button variant="quiet" wide onClick={cancel}>
            {t('common.cancel')}
          </Button>
        </>
      ) : (
        <Button type="submit" variant="primary" size="large" wide busy={busy}>
          {t('login.get_code')}
        </Button>
      )}
    </PlainForm>
  )
}

/** Returns the details if the phone number must be proven first; null for any other error. */
function unprovenIn(error: unknown): UnprovenPhone | null {
  if (!(error instanceof ApiError && error.key === 'phone_not_proven')) return null
  const { proof, email } = error.data
  return { proof: String(proof), email: String(email) }
}

/** The server's response for an unverified phone number. */
interface UnprovenPhone {
  proof: string
  /** The account's email, masked but recognizable to its owner. */
  email: string
}

interface ProveProps {
  unproven: UnprovenPhone
  onEnter: (me: Me | null) => Promise<void>
  onError: (error: unknown) => void
  onCancel: () => void
}

/**
 * First sign-in with a phone number: the code was correct, and the password or an email link proves ownership of the
 * account.
 */
function ProvePhone({ unproven, onEnter, onError, onCancel }: ProveProps) {
  const { t } = useText()
  const [password, setPassword] = useState('')
  const [sent, setSent] = useState(false)
  const [busy, setBusy] = useState(false)
  const { proof, email } = unproven

  const attempt = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    onError(null)
    try {
      await work()
    } catch (cause) {
      setPassword('')
      onError(cause)
    } finally {
      setBusy(false)
    }
  }
  const prove = () =>
    attempt(async () => {
      await api.accounts.provePhone({ proof, password })
      await onEnter(await switchSession())
    })
  const mail = () =>
    attempt(async () => {
      await api.accounts.mailPhoneProof({ proof })
      storePhoneProof(proof)
      setSent(true)
    })

  return (
    <PlainForm onSubmit={() => void prove()}>
      <Notice tone="plain">{t('login.prove_intro', { email: isolated(email) })}</Notice>
      <FocusFirst>
        <PasswordField
          label={t('auth.password')}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
      </FocusFirst>
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {t('auth.sign_in')}
      </Button>
      {sent ? (
        <Notice tone="good">{t('login.prove_sent', { email: isolated(email) })}</Notice>
      ) : (
        <Button wide onClick={() => void mail()}>
          {t('login.prove_by_mail')}
        </Button>
      )}
      <Button variant="quiet" wide onClick={onCancel}>
        {t('common.cancel')}
      </Button>
    </PlainForm>
  )
}
