import { ApiError } from '@hansom/client/api-error'
import type { UserView } from '@hansom/contract/users'
import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { UserPicker } from '../../entities/users/user-picker.tsx'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { typedAmount } from '../../ui/typed-amount.ts'
import { useDemoGuard } from '../../ui/use-demo-guard.tsx'
import { CashDesk } from './cash-desk.tsx'
import classes from './wallet.module.css'

type Added = Awaited<ReturnType<typeof api.wallet.credit>> & { name: string }

const nameOf = ({ firstName, lastName }: UserView) => `${firstName} ${lastName}`

/** Form that credits a user's wallet; shows the balance before and after. */
export function AddToWalletScreen() {
  const { t } = useText()
  const format = useFormat()
  const settings = useSettings()
  const [uid, setUid] = useState<string | undefined>()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [added, setAdded] = useState<Added | null>(null)
  const user = useQuery({
    ...orpc.users.get.queryOptions({ input: { id: uid ?? '' } }),
    enabled: uid !== undefined,
  }).data
  const amount = typedAmount(text, settings)

  const { closed } = useDemoGuard()
  const isClosed = closed('wallet.credit')

  const submit = async () => {
    if (busy) return
    setAdded(null)
    if (uid === undefined || amount <= 0) return setError(new ApiError('no_details_error', 400))
    setBusy(true)
    setError(null)
    try {
      const answer = await idempotentCall(
        'wallet.credit',
        { id: uid, amount },
        ({ id, amount: much }, options) => api.wallet.credit({ uid: id, amount: much }, options),
      )
      setAdded({ ...answer, name: user ? nameOf(user) : '' })
      setText('')
      void queryClient.invalidateQueries({ queryKey: orpc.users.key() })
      void queryClient.invalidateQueries({ queryKey: orpc.ledger.key() })
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className={`${pageFrame} ${classes.narrow}`} aria-labelledby="add-to-wallet">
      <PageHead id="add-to-wallet" title={t('menu.add_to_wallet')} lead={t('wallet.add_intro')} />
      <div className={classes.card}>
        {isClosed ? <Notice tone="plain">{t('error.demo_mode')}</Notice> : null}
        <PlainForm onSubmit={() => void submit()}>
          <UserPicker
            label={t('wallet.add_user')}
            usertype={['rider', 'driver']}
            value={uid}
            onChange={setUid}
          />
          <TextField
            label={t('wallet.amount')}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            dir="ltr"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          {user ? (
            <dl className={classes.beforeAfter} aria-live="polite">
              <div>
                <dt>{t('wallet.before')}</dt>
                <dd>
                  <Money amount={user.walletBalance ?? 0} />
                </dd>
              </div>
              <div>
                <dt>{t('wallet.after')}</dt>
                <dd>
                  <Money amount={(user.walletBalance ?? 0) + Math.max(0, amount)} />
                </dd>
              </div>
            </dl>
          ) : null}
          {error ? (
            <Notice tone="bad">
              <ErrorMessage error={error} />
            </Notice>
          ) : null}
          {added ? (
            <Notice tone="good">
              {t('wallet.added', {
                amount: isolated(format.money(added.amount)),
                name: `\u2068${added.name}\u2069`,
              })}{' '}
              <Money amount={added.before} />{' '}
              <IconArrowRight size={16} className={classes.arrow} aria-hidden />{' '}
              <Money amount={added.after} />
            </Notice>
          ) : null}
          <div className={classes.buttons}>
            {uid ? (
              <Link to="/ledger" search={{ user: uid }} className={buttonClass()}>
                {t('wallet.see_ledger')}
              </Link>
            ) : null}
            <Button type="submit" variant="primary" busy={busy} disabled={isClosed}>
              {t('wallet.add_confirm')}
            </Button>
          </div>
        </PlainForm>
      </div>
      <CashDesk />
    </section>
  )
}
