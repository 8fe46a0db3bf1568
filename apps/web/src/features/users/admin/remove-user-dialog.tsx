import type { UserView } from '@hansom/contract/users'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, orpc } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { useMe } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { LoadingState } from '../../../ui/page-states.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { RemoveDialog } from '../../../ui/table/remove-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { PayoutDialog } from './payout-dialog.tsx'
import { userName } from './user-mark.tsx'
import classes from './users.module.css'

interface Props {
  user: UserView
  onClose: () => void
  onRemoved: () => void
}

/** Deletes a user by name. First it names what is open, and lets an admin write off a debt or give up a balance. */
export function RemoveUserDialog({ user, onClose, onRemoved }: Props) {
  const { t } = useText()
  const format = useFormat()
  const isAdmin = useMe()?.usertype === 'admin'
  const [isGivenUp, setGivenUp] = useState(false)
  const [isPaying, setPaying] = useState(false)
  const query = useQuery({
    ...orpc.users.obligations.queryOptions({ input: { id: user.uid } }),
    staleTime: 0,
  })
  const name = userName(user)
  const open = query.data
  const balance = open?.balance ?? 0
  const person = { name: isolated(name) }
  const ofUser = { [user.usertype === 'driver' ? 'driver' : 'customer']: user.uid }
  return (
    <>
      <RemoveDialog
        name={name}
        onClose={onClose}
        onConfirm={async () => {
          await api.users.remove({
            id: user.uid,
            ...(isGivenUp && balance > 0 ? { giveUp: balance } : {}),
          })
          onRemoved()
        }}
      >
        {query.isPending ? <LoadingState rows={1} /> : null}
        {open && (open.trip || open.unpaid || open.withdrawal || open.payment) ? (
          <Notice tone="attention">
            <ul className={classes.missing}>
              {open.trip ? (
                <li>
                  {t('users.open_trip', person)}{' '}
                  <Link to="/bookings" search={{ ...ofUser, status: 'open' }}>
                    {t('users.open_show')}
                  </Link>
                </li>
              ) : null}
              {open.unpaid ? (
                <li>
                  {t('users.open_unpaid', person)}{' '}
                  <Link to="/bookings" search={{ ...ofUser, status: 'PENDING' }}>
                    {t('users.open_show')}
                  </Link>
                </li>
              ) : null}
              {open.withdrawal ? (
                <li>
                  {t('users.open_withdrawal', person)} <Link to="/withdraws">{t('users.open_show')}</Link>
                </li>
              ) : null}
              {open.payment ? <li>{t('users.open_payment', person)}</li> : null}
            </ul>
          </Notice>
        ) : null}
        {balance > 0 ? (
          <Notice tone="attention">
            <p>{t('users.open_balance', { ...person, amount: isolated(format.money(balance)) })}</p>
            {isAdmin ? (
              <Button size="small" onClick={() => setPaying(true)}>
                {t('users.payout')}
              </Button>
            ) : null}
            <SwitchField
              label={t('users.give_up', { amount: isolated(format.money(balance)) })}
              checked={isGivenUp}
              onChange={setGivenUp}
            />
          </Notice>
        ) : null}
        {balance < 0 ? <WriteOff user={user} debt={-balance} onDone={() => void query.refetch()} /> : null}
      </RemoveDialog>
      {isPaying ? (
        <PayoutDialog
          user={user}
          balance={balance}
          onClose={() => setPaying(false)}
          onRequested={() => {
            setPaying(false)
            void query.refetch()
          }}
        />
      ) : null}
    </>
  )
}

/** Credits what a user owes, with a reason, so that the ledger shows that it was written off. */
function WriteOff({ user, debt, onDone }: { user: UserView; debt: number; onDone: () => void }) {
  const { t } = useText()
  const format = useFormat()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const amount = isolated(format.money(debt))
  const clearDebt = useMutation({
    mutationFn: () =>
      idempotentCall(
        'wallet.credit',
        { uid: user.uid, amount: debt, reason: reason.trim() },
        api.wallet.credit,
      ),
    onSuccess: onDone,
  })
  return (
    <Notice tone="attention">
      <p>{t('users.open_debt', { name: isolated(userName(user)), amount })}</p>
      <TextField
        label={t('users.reject_reason')}
        value={reason}
        dir="auto"
        maxLength={300}
        autoComplete="off"
        error={isMissing && reason.trim() === '' ? t('error.field_required') : undefined}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button
        size="small"
        busy={clearDebt.isPending}
        onClick={() => (reason.trim() === '' ? setMissing(true) : clearDebt.mutate())}
      >
        {t('users.clear_debt', { amount })}
      </Button>
      {clearDebt.isError ? <ErrorMessage error={clearDebt.error} /> : null}
    </Notice>
  )
}
