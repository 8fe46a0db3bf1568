import { mayWithdraw } from '@hansom/domain/wallet/withdraw'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type api, orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useLive } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { OutstandingCard } from './outstanding-card.tsx'
import { OwnRequests } from './own-requests.tsx'
import classes from './wallet.module.css'
import { WithdrawForm } from './withdraw-form.tsx'

/** The user has changed: reload the balance and the requests. */
function reload(): void {
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
  useLive('user', null, { onEvent: reload })
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

type Entry = Awaited<ReturnType<typeof api.users.wallet>>['items'][number]

const uuid = /^[0-9a-f]{8}-/

/** The user's wallet transactions, newest first. */
/** The query of the user's wallet history. */
export const walletHistory = orpc.users.wallet.infiniteOptions({
  input: (cursor: string | undefined) => (cursor === undefined ? {} : { cursor }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
})

function WalletHistory() {
  const { t } = useText()
  const query = useInfiniteQuery(walletHistory)
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section className={classes.section} aria-labelledby="wallet-history">
      <h2 id="wallet-history" className={classes.heading}>
        {t('wallet.history')}
      </h2>
      {query.isPending ? <LoadingState rows={5} height="56px" /> : null}
      {query.isLoadingError || query.isFetchNextPageError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data && entries.length === 0 ? (
        <EmptyState title={t('wallet.history_none')}>{t('wallet.history_none_text')}</EmptyState>
      ) : null}
      {entries.length > 0 ? (
        <ul className={classes.list}>
          {entries.map((entry) => (
            <Line key={entry.id} entry={entry} />
          ))}
        </ul>
      ) : null}
      {query.hasNextPage ? (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('wallet.more')}
        </Button>
      ) : null}
    </section>
  )
}

function Line({ entry }: { entry: Entry }) {
  const { t } = useText()
  const format = useFormat()
  const { kind, type, amount, date, txRef } = entry
  const what = t(`wallet.kind_${kind}` as string)
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <span className={classes.what}>
          {uuid.test(txRef) ? (
            <Link to="/trip/$id" params={{ id: txRef }}>
              {what}
            </Link>
          ) : (
            what
          )}
        </span>
        <span className={classes.when}>
          <Ltr>{format.dateTime(date)}</Ltr>
        </span>
      </div>
      <div className={classes.figures}>
        <span className={type === 'Credit' ? classes.credit : classes.debit}>
          <Money amount={type === 'Credit' ? amount : -amount} />
        </span>
        <span className={classes.when}>{t(`wallet.type_${type}`)}</span>
      </div>
    </li>
  )
}
