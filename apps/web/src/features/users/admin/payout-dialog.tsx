import type { UserView } from '@hansom/contract/users'
import type { WithdrawView } from '@hansom/contract/withdraws'
import { type WithdrawRequest, withdrawRefusal } from '@hansom/domain/wallet/withdraw'
import { api } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { RecordDialog } from '../../../ui/record-dialog.tsx'
import { amountField, textField } from '../../../ui/record-field.tsx'
import { userName } from './user-mark.tsx'

interface Props {
  user: UserView
  /** The balance as it is now. */
  balance: number
  onClose: () => void
  onRequested: (request: WithdrawView) => void
}

/** Requests a payout of a user's balance to their bank account, in their name. */
export function PayoutDialog({ user, balance, onClose, onRequested }: Props) {
  const { t } = useText()
  const format = useFormat()
  const settings = useSettings()
  const name = isolated(userName(user))
  return (
    <RecordDialog<WithdrawRequest, WithdrawRequest, WithdrawView>
      title={t('users.payout_title', { name })}
      action={t('users.payout_confirm')}
      command={`withdraws.requestFor ${user.uid}`}
      record={null}
      blank={{
        amount: balance,
        bankName: user.bankName ?? '',
        bankCode: user.bankCode ?? '',
        bankAccount: user.bankAccount ?? '',
      }}
      fields={fields}
      check={(draft) => {
        const refusal = withdrawRefusal({ ...user, walletBalance: balance }, draft, settings, 'admin')
        return (refusal?.fields ?? []).map(({ field, error }) => ({
          field,
          error: error === 'bank_details_needed' ? 'required' : error,
        }))
      }}
      save={({ draft, options }) => api.withdraws.requestFor({ uid: user.uid, ...draft }, options)}
      onClose={onClose}
      onSaved={onRequested}
    >
      {({ field }) => (
        <>
          <p>{t('users.payout_text', { name })}</p>
          {field('amount', t('users.payout_balance', { amount: isolated(format.money(balance)) }))}
          {field('bankName')}
          {field('bankCode')}
          {field('bankAccount')}
        </>
      )}
    </RecordDialog>
  )
}

const fields = [
  amountField('amount', 'wallet.amount'),
  textField('bankName', 'users.bankName', { maxLength: 200 }),
  textField('bankCode', 'users.bankCode', { maxLength: 200, dir: 'ltr' }),
  textField('bankAccount', 'users.bankAccount', { maxLength: 200, dir: 'ltr' }),
]
