import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useText } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Outcome } from './outcome.ts'

const redirectMs = 3000

/** The account is there: what comes next, and after three seconds the sign-in page. */
export function Registered({ outcome }: { outcome: Outcome }) {
  const { t } = useText()
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: '/login', replace: true }), redirectMs)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <FormCard title={t('register.done_title')}>
      <Notice tone="good">
        <p>{t('register.account_create_successfully')}</p>
        {outcome.emailToVerify ? <p>{t('error.email_verify_message')}</p> : null}
        {outcome.approved ? null : <p>{t('error.require_approval')}</p>}
      </Notice>
      <Link to="/login" replace className={buttonClass({ variant: 'primary', size: 'large', wide: true })}>
        {t('auth.sign_in')}
      </Link>
    </FormCard>
  )
}
