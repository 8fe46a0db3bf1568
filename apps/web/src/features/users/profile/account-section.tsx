import type { Me } from '@hansom/contract/users'
import { mayWithdraw } from '@hansom/domain/wallet/withdraw'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { endingApi, orpc } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { leaveAfter } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DownloadLink } from '../../../ui/download-link.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { PlainForm } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import classes from './profile-screen.module.css'
import { Section } from './section.tsx'

/** Download of the user's data, and account deletion. */
export function AccountSection({ me }: { me: Me }) {
  const { t } = useText()
  const [deleting, setDeleting] = useState(false)
  return (
    <Section title={t('profile.account')} intro={t('profile.account_intro')}>
      <div className={classes.row}>
        <DownloadLink href="/api/v1/me/data" className={buttonClass()}>
          <IconDownload size={20} stroke={1.7} aria-hidden />
          {t('profile.download')}
        </DownloadLink>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          {t('profile.delete')}
        </Button>
      </div>
      {deleting ? <DeleteDialog me={me} onClose={() => setDeleting(false)} /> : null}
    </Section>
  )
}

const obligationErrors = [
  { of: 'trip', text: 'profile.refused_open_booking' },
  { of: 'unpaid', text: 'profile.refused_unpaid_booking' },
  { of: 'withdrawal', text: 'profile.refused_open_withdrawal' },
  { of: 'payment', text: 'profile.refused_open_payment' },
] as const
const openTrips = ['open_booking', 'unpaid_booking']
const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Deletes the account after the user has typed their name and password; shows the reason if it must wait. */
function DeleteDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { t } = useText()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const name = me.email || `${me.firstName} ${me.lastName}`
  const byPassword = me.loginType === 'email'
  const settings = useSettings()
  const format = useFormat()
  const [isGivenUp, setGivenUp] = useState(false)
  const { data: open } = useQuery({ ...orpc.users.ownObligations.queryOptions(), staleTime: 0 })
  const balance = open?.balance ?? 0
  const amount = isolated(format.money(balance))
  const [wrong, setWrong] = useState<{ name?: string; password?: string }>({})
  const remove = useMutation({
    mutationFn: () =>
      leaveAfter(() =>
        endingApi.users.deleteMe({
          ...(byPassword ? { password } : {}),
          ...(isGivenUp && balance > 0 ? { giveUp: balance } : {}),
        }),
      ),
    onSuccess: () => navigate({ to: '/' }),
  })
  const submit = () => {
    const found = {
      ...(same(typed, name) ? {} : { name: t('profile.delete_mismatch') }),
      ...(byPassword && !password ? { password: t('auth.password_needed') } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length === 0 && !remove.isPending) remove.mutate()
  }
  const key = remove.error && 'key' in remove.error ? String(remove.error.key) : ''
  // The password was sent, so this error can only mean that it is wrong.
  const reason = `profile.refused_${byPassword && key === 'password_needed' ? 'login_error' : key}`
  const own = t(reason)

  return (
    <Dialog open onClose={onClose} role="alertdialog" title={t('profile.delete_title')}>
      <PlainForm onSubmit={submit}>
        <p>{t('profile.delete_text')}</p>
        {balance > 0 ? (
          <Notice tone="attention">
            <p>
              {t('profile.delete_balance', { amount })}{' '}
              {mayWithdraw(me.usertype, settings) ? (
                <Link to="/wallet">{t('profile.delete_withdraw')}</Link>
              ) : (
                t('profile.delete_support')
              )}
            </p>
            <SwitchField
              label={t('profile.delete_give_up', { amount })}
              checked={isGivenUp}
              onChange={setGivenUp}
            />
          </Notice>
        ) : null}
        {obligationErrors.map((error) =>
          open?.[error.of] ? (
            <Notice key={error.of} tone="attention">
              {t(error.text)}
            </Notice>
          ) : null,
        )}
        {balance < 0 ? <Notice tone="attention">{t('profile.refused_open_debt')}</Notice> : null}
        <TextField
          label={t('profile.delete_name', { name: `\u2068${name}\u2069` })}
          name="confirmation"
          dir="ltr"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={wrong.name}
        />
        {byPassword ? (
          <PasswordField
            label={t('auth.password')}
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            error={wrong.password}
          />
        ) : null}
        {remove.isError ? (
          <Notice tone="bad">
            {own === reason ? <ErrorMessage error={remove.error} /> : own}
            {openTrips.includes(key) ? <Link to="/bookings">{t('common.nav_bookings')}</Link> : null}
          </Notice>
        ) : null}
        <Button type="submit" variant="danger" wide busy={remove.isPending}>
          {t('profile.delete')}
        </Button>
        <Button variant="quiet" wide onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </PlainForm>
    </Dialog>
  )
}
