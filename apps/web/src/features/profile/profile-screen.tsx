import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { signOut, useMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Money } from '../../ui/money.tsx'
import classes from './profile-screen.module.css'

/** The signed-in person's own record. */
export function ProfileScreen() {
  const { t } = useText()
  const me = useMe()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  if (!me) return null

  const leave = async () => {
    setBusy(true)
    try {
      await signOut()
      await navigate({ to: '/' })
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }

  return (
    <div className={classes.page}>
      <h1 className={classes.title}>
        <bdi>
          {me.firstName} {me.lastName}
        </bdi>
      </h1>
      <dl className={classes.facts}>
        <div>
          <dt>{t('auth.email')}</dt>
          <dd>
            <bdi dir="ltr">{me.email}</bdi>
          </dd>
        </div>
        {me.mobile ? (
          <div>
            <dt>{t('auth.mobile')}</dt>
            <dd>
              <bdi dir="ltr">{me.mobile}</bdi>
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{t('auth.usertype')}</dt>
          <dd>{t(`auth.role_${me.usertype}`)}</dd>
        </div>
        <div>
          <dt>{t('auth.wallet')}</dt>
          <dd>
            <Money amount={me.walletBalance} />
          </dd>
        </div>
      </dl>
      {error ? (
        <p role="alert" className={classes.error}>
          <ErrorMessage error={error} />
        </p>
      ) : null}
      <Button busy={busy} onClick={() => void leave()}>
        {t('common.sign_out')}
      </Button>
    </div>
  )
}
