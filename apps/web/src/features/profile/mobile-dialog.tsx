import type { Me } from '@hansom/contract/users'
import { isLoginCode, wholePhone } from '@hansom/domain/users/contact'
import { splitPhone } from '@hansom/domain/users/countries'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useText } from '../../lib/i18n.ts'
import { refreshMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/code-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { PhoneField, phoneParts } from '../../ui/phone-field.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { Failure } from './failure.tsx'

/** A new mobile: the number, then the code that was sent to it. */
export function MobileDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { t } = useText()
  const { country } = useSettings()
  const [phone, setPhone] = useState(() => splitPhone(me.mobile ?? '', country) ?? { country, mobile: '' })
  const [sent, setSent] = useState<{ verificationId: string; resendAt: number } | null>(null)
  const [otp, setOtp] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  const trying = async (work: () => Promise<void>) => {
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
    trying(async () => {
      const parts = phoneParts(phone)
      if (wholePhone(parts.phoneCode, parts.mobile) === null) throw new ApiError('mobile_no_blank_error', 400)
      const { verificationId, retryAfterS } = await api.accounts.requestMobileChange(parts)
      setSent({ verificationId, resendAt: Date.now() + retryAfterS * 1000 })
    })
  const confirm = (verificationId: string) =>
    trying(async () => {
      if (!isLoginCode(otp)) throw new ApiError('otp_validate_error', 400)
      await api.accounts.confirmMobileChange({ verificationId, otp })
      await refreshMe()
      announce(t('profile.profile_updated'))
      onClose()
    })

  return (
    <Dialog open onClose={onClose} title={t('profile.mobile_title')}>
      <PlainForm onSubmit={() => void (sent ? confirm(sent.verificationId) : request())}>
        <PhoneField
          value={phone}
          onChange={setPhone}
          disabled={sent !== null}
          hint={t('login.mobile_hint')}
        />
        {sent ? (
          <>
            <CodeField label={t('login.code')} value={otp} onChange={setOtp} hint={t('login.code_hint')} />
            <ResendButton readyAt={sent.resendAt} onResend={() => void request()} />
          </>
        ) : null}
        <Failure error={error} />
        <Button type="submit" variant="primary" wide busy={busy}>
          {sent ? t('login.verify') : t('login.get_code')}
        </Button>
      </PlainForm>
    </Dialog>
  )
}
