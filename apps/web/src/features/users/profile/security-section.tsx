import { passwordError } from '@hansom/domain/accounts/sign-up'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { leaveSafely } from '../../../entities/users/leave.ts'
import { api, endingApi, orpc } from '../../../lib/api.ts'
import { useServerNow } from '../../../lib/clock.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { leaveAfter } from '../../../lib/session.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogButtons } from '../../../ui/dialog-buttons.tsx'
import { PlainForm } from '../../../ui/form-card.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import classes from './profile-screen.module.css'
import { ErrorNotice, Section } from './section.tsx'

const options = orpc.accounts.sessions.queryOptions()

/** The user's active sessions, with buttons to end them. */
export function SessionsSection() {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow(30_000)
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const query = useQuery(options)
  const end = useMutation({
    mutationFn: (id: string) => api.accounts.endSession({ id }),
    onSuccess: async () => {
      announce(t('profile.session_ended'))
      await queryClient.invalidateQueries({ queryKey: options.queryKey })
    },
  })
  const leave = useMutation({
    mutationFn: (everywhere: boolean) => (everywhere ? leaveSafely(endAll) : leaveSafely()),
    onSuccess: (isGone) => (isGone ? navigate({ to: '/' }) : undefined),
  })
  return (
    <Section title={t('profile.sessions')} intro={t('profile.sessions_intro')}>
      {query.isPending ? <LoadingState rows={2} /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      <ul className={classes.list}>
        {query.data?.map(({ id, lastUsed, address, userAgent, current }) => {
          const device = deviceName(userAgent) ?? t('profile.unknown_device')
          return (
            <li key={id} className={classes.item}>
              <span className={classes.grow}>
                <span className={classes.device}>
                  <bdi>{device}</bdi>
                  {current ? <span className={classes.badge}>{t('profile.this_device')}</span> : null}
                </span>
                <span className={classes.quiet}>
                  {address ? (
                    <>
                      <Ltr>{address}</Ltr>
                      {' · '}
                    </>
                  ) : null}
                  {t('profile.last_used', { time: format.ago(lastUsed, now) })}
                </span>
              </span>
              {current ? null : (
                <Button
                  size="small"
                  aria-label={t('profile.end_session', { device })}
                  busy={end.isPending && end.variables === id}
                  onClick={() => end.mutate(id)}
                >
                  {t('profile.end')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <ErrorNotice error={end.error ?? leave.error} />
      <div className={classes.row}>
        <Button busy={leave.isPending && !leave.variables} onClick={() => leave.mutate(false)}>
          {t('common.sign_out')}
        </Button>
        <Button
          aria-haspopup="dialog"
          busy={leave.isPending && leave.variables}
          onClick={() => setAsks(true)}
        >
          {t('profile.sign_out_everywhere')}
        </Button>
      </div>
      <Dialog
        open={asks}
        role="alertdialog"
        onClose={() => setAsks(false)}
        title={t('profile.everywhere_title')}
        footer={
          <DialogButtons onCancel={() => setAsks(false)}>
            <Button
              variant="danger"
              onClick={() => {
                setAsks(false)
                leave.mutate(true)
              }}
            >
              {t('profile.sign_out_everywhere')}
            </Button>
          </DialogButtons>
        }
      >
        <p>{t('profile.everywhere_text')}</p>
      </Dialog>
    </Section>
  )
}

const endAll = () => leaveAfter(() => endingApi.accounts.signOutEverywhere())

const browsers = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /(Headless)?Chrom(e|ium)\//],
  ['Safari', /Safari\//],
] as const
const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** Browser and system from a user agent, such as "Firefox, Android"; null if neither is known. */
export function deviceName(userAgent: string | null): string | null {
  const find = (list: readonly (readonly [string, RegExp])[]) =>
    list.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0]
  return [find(browsers), find(systems)].filter(Boolean).join(', ') || null
}

/** Changes the password, which ends all other sessions. */
export function PasswordSection() {
  const { t } = useText()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<{ current?: string; password?: string }>({})
  const change = useMutation({
    mutationFn: () => api.accounts.changePassword({ current, password }),
    onSuccess: async () => {
      setCurrent('')
      setPassword('')
      await queryClient.invalidateQueries({ queryKey: orpc.accounts.sessions.queryKey() })
    },
  })
  const submit = () => {
    const problem = passwordError(password)
    const found = {
      ...(current ? {} : { current: t('auth.password_needed') }),
      ...(problem ? { password: t(`error.${problem}`) } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length === 0 && !change.isPending) change.mutate()
  }
  return (
    <Section title={t('profile.password')} intro={t('profile.password_intro')}>
      <PlainForm onSubmit={submit}>
        <PasswordField
          label={t('profile.password_current')}
          name="current"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          error={wrong.current}
        />
        <PasswordField
          label={t('password.new')}
          name="new"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          hint={t('password.rules')}
          error={wrong.password}
        />
        {change.error?.key === 'login_error' ? (
          <Notice tone="bad">{t('profile.password_wrong')}</Notice>
        ) : (
          <ErrorNotice error={change.error} />
        )}
        {change.isSuccess ? <Notice tone="good">{t('profile.password_changed')}</Notice> : null}
        <Button type="submit" busy={change.isPending}>
          {t('profile.password_change')}
        </Button>
      </PlainForm>
    </Section>
  )
}
