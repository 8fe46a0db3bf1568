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
import { useSettings } from '../../lib/settings.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ToggleGroup } from '../../ui/toggle-group.tsx'
import { typedAmount } from '../../ui/typed-amount.ts'
import { useDemoGuard } from '../../ui/use-demo-guard.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import { Adjustments, reloadAdjustments } from './adjustments.tsx'
import { CashDesk } from './cash-desk.tsx'
import classes from './wallet.module.css'

type Adjusted = Awaited<ReturnType<typeof api.wallet.credit>> & { name: string }

const nameOf = ({ firstName, lastName }: UserView) => `${firstName} ${lastName}`

/** Credits or debits a user's wallet with a reason, lists these changes, and has the cash desk. */
export function AddToWalletScreen() {
  const { t } = useText()
  const { closed } = useDemoGuard()
  const isClosed = closed('wallet.credit')
  return (
    <section className={`${pageFrame} ${classes.narrow}`} aria-labelledby="add-to-wallet">
      <PageHead id="add-to-wallet" title={t('menu.add_to_wallet')} lead={t('wallet.add_intro')} />
      <div className={classes.card}>
        {isClosed ? <Notice tone="plain">{t('error.demo_mode')}</Notice> : null}
        <AdjustForm isClosed={isClosed} />
      </div>
      <Adjustments isClosed={isClosed} />
      <CashDesk />
    </section>
  )
}

function AdjustForm({ isClosed }: { isClosed: boolean }) {
  const { t } = useText()
  const format = useFormat()
  const settings = useSettings()
  const [uid, setUid] = useState<string | undefined>()
  const [kind, setKind] = useState<'credit' | 'debit'>('credit')
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [asking, setAsking] = useState(false)
  const [done, setDone] = useState<Adjusted | null>(null)
  const user = useQuery({
    ...orpc.users.get.queryOptions({ input: { id: uid ?? '' } }),
    enabled: uid !== undefined,
  }).data
  const amount = typedAmount(text, settings)
  const isCredit = kind === 'credit'
  const before = user?.walletBalance ?? 0
  const after = before + (isCredit ? 1 : -1) * Math.max(0, amount)
  const action = t(isCredit ? 'wallet.add_confirm' : 'wallet.debit_confirm')

  const refusal = () => {
    if (uid === undefined || !user || amount <= 0) return 'no_details_error'
    if (reason.trim() === '') return 'reason_needed'
    return !isCredit && after < 0 ? 'low_wallet' : null
  }
  const ask = () => {
    const key = refusal()
    setDone(null)
    setError(key && new ApiError(key, 400))
    setAsking(key === null)
  }
  const change = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      setError(null)
      set(value)
    }
  }
  return (
    <PlainForm onSubmit={ask}>
      <UserPicker
        label={t('wallet.add_user')}
        usertype={['rider', 'driver']}
        value={uid}
        onChange={change(setUid)}
      />
      <ToggleGroup
        label={t('wallet.add_kind')}
        options={[
          { value: 'credit', label: t('wallet.add_credit') },
          { value: 'debit', label: t('wallet.add_debit') },
        ]}
        value={kind}
        onChange={change(setKind)}
      />
      <TextField
        label={t('wallet.amount')}
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        dir="ltr"
        value={text}
        onChange={(event) => change(setText)(event.target.value)}
      />
      <TextField
        label={t('wallet.add_reason')}
        hint={t('wallet.add_reason_hint')}
        name="reason"
        dir="auto"
        maxLength={200}
        value={reason}
        onChange={(event) => change(setReason)(event.target.value)}
      />
      {user ? <Change before={before} after={after} /> : null}
      {error ? (
        <Notice tone="bad">
          <ErrorMessage error={error} />
        </Notice>
      ) : null}
      {done ? (
        <Notice tone="good">
          <span>
            {t(done.amount > 0 ? 'wallet.added' : 'wallet.debited', {
              amount: isolated(format.money(Math.abs(done.amount))),
              name: isolated(done.name),
            })}{' '}
            <Money amount={done.before} /> <IconArrowRight size={16} className={classes.arrow} aria-hidden />{' '}
            <Money amount={done.after} />
          </span>
        </Notice>
      ) : null}
      <div className={classes.buttons}>
        {uid ? (
          <Link to="/ledger" search={{ user: uid }} className={buttonClass()}>
            {t('wallet.see_ledger')}
          </Link>
        ) : null}
        <Button type="submit" variant="primary" disabled={isClosed}>
          {action}
        </Button>
      </div>
      {asking && user ? (
        <ConfirmDialog
          isCredit={isCredit}
          user={user}
          input={{ id: user.uid, amount, reason: reason.trim() }}
          after={after}
          action={action}
          onClose={() => setAsking(false)}
          onDone={(adjusted) => {
            setAsking(false)
            setDone({ ...adjusted, name: nameOf(user) })
            setText('')
            setReason('')
            reloadAdjustments()
          }}
        />
      ) : null}
    </PlainForm>
  )
}

interface ConfirmProps {
  isCredit: boolean
  user: UserView
  input: { id: string; amount: number; reason: string }
  after: number
  action: string
  onClose: () => void
  onDone: (adjusted: Awaited<ReturnType<typeof api.wallet.credit>>) => void
}

function ConfirmDialog({ isCredit, user, input, after, action, onClose, onDone }: ConfirmProps) {
  const { t } = useText()
  const format = useFormat()
  const sending = useSubmit(onDone)
  const send = () =>
    sending.send(() =>
      idempotentCall(
        isCredit ? 'wallet.credit' : 'wallet.debit',
        input,
        ({ id: uid, amount, reason }, options) =>
          (isCredit ? api.wallet.credit : api.wallet.debit)({ uid, amount, reason }, options),
      ),
    )
  const values = { amount: isolated(format.money(input.amount)), name: isolated(nameOf(user)) }
  return (
    <Dialog
      open
      onClose={onClose}
      title={isCredit ? t('wallet.add_sure_credit', values) : t('wallet.add_sure_debit', values)}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button variant={isCredit ? 'primary' : 'danger'} busy={sending.busy} onClick={send}>
            {action}
          </Button>
        </DialogButtons>
      }
    >
      <Change before={user.walletBalance ?? 0} after={after} />
      <p className={classes.lead}>
        <bdi>{input.reason}</bdi>
      </p>
      {sending.failure}
    </Dialog>
  )
}

/** The balance before and after. */
function Change({ before, after }: { before: number; after: number }) {
  const { t } = useText()
  return (
    <dl className={classes.beforeAfter} aria-live="polite">
      <div>
        <dt>{t('wallet.before')}</dt>
        <dd>
          <Money amount={before} />
        </dd>
      </div>
      <div>
        <dt>{t('wallet.after')}</dt>
        <dd>
          <Money amount={after} />
        </dd>
      </div>
    </dl>
  )
}
