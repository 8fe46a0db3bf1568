import { isEmail } from '@hansom/domain/users/contact'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { FocusFirst } from '../../../ui/focus-first.tsx'
import { PlainForm } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** Requests a password reset email. Shows the same message whether or not the email is known. */
export function ForgotDialog({ email: first, onClose }: { email: string; onClose: () => void }) {
  const { t } = useText()
  const [email, setEmail] = useState(first)
  const [wrong, setWrong] = useState(false)
  const send = useMutation({ mutationFn: () => api.accounts.forgotPassword({ email: email.trim() }) })

  const submit = () => {
    setWrong(!isEmail(email.trim()))
    if (isEmail(email.trim()) && !send.isPending) send.mutate()
  }

  return (
    <Dialog open onClose={onClose} title={t('login.forgot_title')}>
      {send.isSuccess ? (
        <PlainForm key="sent" onSubmit={onClose}>
          <Notice tone="good">{t('login.reset_pass_msg')}</Notice>
          <FocusFirst>
            <Button type="submit" variant="primary" wide>
              {t('common.close')}
            </Button>
          </FocusFirst>
        </PlainForm>
      ) : (
        <PlainForm key="ask" onSubmit={submit}>
          <p>{t('login.forgot_text')}</p>
          <FocusFirst>
            <TextField
              label={t('auth.email')}
              type="email"
              name="email"
              dir="ltr"
              autoComplete="username"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              error={wrong ? t('error.proper_email') : null}
            />
          </FocusFirst>
          {send.isError ? (
            <Notice tone="bad">
              <ErrorMessage error={send.error} />
            </Notice>
          ) : null}
          <Button type="submit" variant="primary" wide busy={send.isPending}>
            {t('login.forgot_send')}
          </Button>
        </PlainForm>
      )}
    </Dialog>
  )
}
