import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { StateBadge } from '../../entities/withdraws/state-badge.tsx'
import { api, orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { refreshMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import classes from './wallet.module.css'

/** The user's withdrawal requests and their state, newest first. */
export function OwnRequests() {
  const { t } = useText()
  const format = useFormat()
  const query = useInfiniteQuery(
    orpc.withdraws.own.infiniteOptions({
      input: (cursor: string | undefined) => (cursor === undefined ? {} : { cursor }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const [takes, setTakes] = useState<string | null>(null)
  const taking = useSubmit(() => {
    for (const route of [orpc.users.wallet, orpc.withdraws.own]) {
      void queryClient.invalidateQueries({ queryKey: route.key() })
    }
    void refreshMe().catch(() => {})
  })
  const requests = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section className={classes.section} aria-labelledby="own-requests">
      <h2 id="own-requests" className={classes.heading}>
        {t('wallet.own_requests')}
      </h2>
      {query.isPending ? <LoadingState rows={2} height="56px" /> : null}
      {query.isLoadingError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data && requests.length === 0 ? (
        <p className={classes.intro}>{t('wallet.own_requests_none')}</p>
      ) : null}
      {taking.failure}
      {requests.length > 0 ? (
        <ul className={classes.list}>
          {requests.map((request) => (
            <li key={request.id} className={classes.item}>
              <div className={classes.words}>
                <span className={classes.what}>
                  <bdi>{request.bankName}</bdi>
                </span>
                <span className={classes.when}>
                  <Ltr>{request.bankAccount}</Ltr>
                </span>
                <span className={classes.when}>
                  <Ltr>{format.dateTime(request.date)}</Ltr>
                </span>
                {request.reason ? (
                  <span className={classes.when}>
                    {t('wallet.refused_for', { reason: `\u2068${request.reason}\u2069` })}
                  </span>
                ) : null}
              </div>
              <div className={classes.figures}>
                <Money amount={request.amount} />
                {request.takenBack ? (
                  <span className={classes.when}>{t('wallet.taken_back')}</span>
                ) : (
                  <StateBadge processed={request.processed} refused={request.refused} />
                )}
                {request.processed || request.refused ? null : (
                  <Button
                    className={classes.process}
                    busy={taking.busy && takes === request.id}
                    onClick={() => {
                      setTakes(request.id)
                      taking.send(() =>
                        idempotentCall('withdraws.take_back', { id: request.id }, api.withdraws.takeBack),
                      )
                    }}
                  >
                    {t('wallet.take_back')}
                  </Button>
                )}
              </div>
            </li>
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
