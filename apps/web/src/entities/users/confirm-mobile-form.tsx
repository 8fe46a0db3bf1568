import { ApiError } from '@hansom/client/api-error'
import type { Me } from '@hansom/contract/users'
import { isLoginCode, toE164 } from '@hansom/domain/users/contact'
import { splitPhone } from '@hansom/domain/users/countries'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { refreshMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { CodeField, ResendButton } from '../../ui/code-field.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { FocusFirst } from '../../ui/focus-first.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PhoneField, phoneParts } from '../../ui/phone-field.tsx'
import { withWork } from './phone-proof.ts'

interface Props {
  me: Me
  /** Confirms the current number; otherwise the user can enter a new one. */
  own?: boolean
  onDone: () => void
}

/** Verifies a mobile number with a code sent to it. */
export function ConfirmMobileForm({ me, own = false, onDone }: Props) {
  const { t } = useText()
  const { country } = useSettings()
  const [phone, setPhone] = useState(() => splitPhone(me.mobile ?? '', country) ?? { country, mobile: '' })
  const [sent, setSent] = useState<{ verificationId: string; resendAt: number } | null>(null)
  const [otp, setOtp] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  const attempt = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  const request = () =>
    attempt(async () => {
      const parts = phoneParts(phone)
      if (toE164(parts.phoneCode, parts.mobile) === null) throw new ApiError('mobile_no_blank_error', 400)
      const { verificationId, retryAfterS } = await withWork((work) =>
        api.accounts.requestMobileChange({ ...parts, ...work }),
      )
      setSent({ verificationId, resendAt: Date.now() + retryAfterS * 1000 })
    })
  const confirm = (verificationId: string) =>
    attempt(async () => {
      if (!isLoginCode(otp)) throw new ApiError('otp_validate_error', 400)
      await api.accounts.confirmMobileChange({ verificationId, otp })
      await refreshMe()
      onDone()
    })

  const submit = (
    <Button type="submit" variant="primary" size="large" wide busy={busy}>
      {sent ? t('login.verify') : t('login.get_code')}
    </Button>
  )
  return (
    <PlainForm onSubmit={() => void (sent ? confirm(sent.verificationId) : request())}>
      <PhoneField value={phone} onChange={setPhone} disabled={own || sent !== null} />
      {sent ? (
        <>
          <CodeField label={t('login.code')} value={otp} onChange={setOtp} hint={t('login.code_hint')} />
          <ResendButton readyAt={sent.resendAt} onResend={() => void request()} />
        </>
      ) : null}
      {error ? (
        <Notice tone="bad">
          <ErrorMessage error={error} />
        </Notice>
      ) : null}
      {own && !sent ? <FocusFirst>{submit}</FocusFirst> : submit}
    </PlainForm>
  )
}
