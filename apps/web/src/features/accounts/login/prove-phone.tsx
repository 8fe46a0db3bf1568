import type { Me } from '@hansom/contract/users'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { storePhoneProof } from '../../../entities/users/phone-proof.ts'
import { switchSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { FocusFirst } from '../../../ui/focus-first.tsx'
import { PlainForm } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'

/** The server's response for an unverified phone number. */
export interface UnprovenPhone {
  proof: string
  /** The account's email, masked but recognizable to its owner. */
  email: string
}

interface Props {
  unproven: UnprovenPhone
  onEnter: (me: Me | null) => Promise<void>
  onError: (error: unknown) => void
  onCancel: () => void
}

/**
 * First sign-in with a phone number: the code was correct, and the password or an email link proves ownership of the
 * account.
 */
export function ProvePhone({ unproven, onEnter, onError, onCancel }: Props) {
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
