import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../../lib/api-error.ts'
import { useText } from '../../../lib/i18n.ts'
import { refreshMe, useMe } from '../../../lib/session.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { FormCard } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useLinkToken } from './link-token.ts'

interface Props {
  title: string
  intro: string
  action: string
  done: string
  onConfirm: (input: { token: string }) => Promise<unknown>
}

/** Confirms an email link on a button press, because mail scanners open links too. */
export function ConfirmLinkCard({ title, intro, action, done, onConfirm }: Props) {
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
