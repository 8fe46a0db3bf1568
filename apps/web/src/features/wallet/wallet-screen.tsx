import { mayWithdraw } from '@hansom/domain/wallet/withdraw'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useLive } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OutstandingCard } from './outstanding-card.tsx'
import { OwnRequests } from './own-requests.tsx'
import classes from './wallet.module.css'
import { WalletHistory } from './wallet-history.tsx'
import { WithdrawForm } from './withdraw-form.tsx'

/** The user has changed: reload the balance and the requests. */
function readAnew(): void {
  for (const route of [orpc.users.wallet, orpc.withdraws.own, orpc.bookings.outstanding]) {
    void queryClient.invalidateQueries({ queryKey: route.key() })
  }
}

interface Props {
  /** The dialog that tops up by card. */
  topUp: (onClose: () => void) => ReactNode
}

/** The user's wallet: balance, transactions, top-up and withdrawal. */
export function WalletScreen({ topUp }: Props) {
  const { t } = useText()
  const me = useMe()
  const settings = useSettings()
  useLive('user', null, { onEvent: readAnew })
  // A link on the earnings page opens the form.
  const { withdraw } = useSearch({ from: '/app/wallet' })
  const [asking, setAsking] = useState(withdraw !== undefined && (me?.walletBalance ?? 0) > 0)
  const [sent, setSent] = useState<string | null>(null)
  const [isToppingUp, setIsToppingUp] = useState(false)
  if (me === null) return null
  const balance = me.walletBalance
  const may = mayWithdraw(me.usertype, settings)
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>{t('wallet.title')}</h1>
      <section className={classes.balance} aria-labelledby="wallet-balance">
        <h2 id="wallet-balance" className={classes.balanceLabel}>
          {t('wallet.balance')}
        </h2>
        <p className={balance < 0 ? `${classes.figure} ${classes.below}` : classes.figure}>
          <Money amount={balance} />
        </p>
        {balance < 0 ? <p className={classes.balanceText}>{t('wallet.below_zero')}</p> : null}
        <div className={classes.balanceButtons}>
          {settings.cardAvailable ? (
            <Button variant="primary" onClick={() => setIsToppingUp(true)}>
              {t('payments.top_up')}
            </Button>
          ) : null}
          {may && !asking ? (
            <Button
              variant={settings.cardAvailable ? 'secondary' : 'primary'}
              className={settings.cardAvailable ? classes.onLacquer : undefined}
              disabled={balance <= 0}
              onClick={() => {
                setSent(null)
                setAsking(true)
              }}
            >
              {t('wallet.withdraw')}
            </Button>
          ) : null}
        </div>
        {may ? null : <p className={classes.balanceText}>{t('wallet.withdraw_off')}</p>}
        {may && balance === 0 && !asking ? (
          <p className={classes.balanceText}>{t('wallet.withdraw_nothing')}</p>
        ) : null}
      </section>
      <OutstandingCard />
      {sent ? <Notice tone="good">{sent}</Notice> : null}
      {asking && may ? (
        <WithdrawForm
          me={me}
          onClose={() => setAsking(false)}
          onSent={(words) => {
            setAsking(false)
            setSent(words)
          }}
        />
      ) : null}
      {may ? <OwnRequests /> : null}
      <WalletHistory />
      {isToppingUp ? topUp(() => setIsToppingUp(false)) : null}
    </div>
  )
}
