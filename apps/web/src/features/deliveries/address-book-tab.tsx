import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import classes from './parcels.module.css'

/** The sender's saved recipients, newest first. */
export function AddressBookTab() {
  const { t } = useText()
  const client = useQueryClient()
  const [q, setQ] = useState('')
  const asked = useDebounced(q.trim(), 200)
  const query = useInfiniteQuery(
    orpc.deliveries.recipients.infiniteOptions({
      input: (cursor: string | undefined) => ({
        ...(asked && { q: asked }),
        ...(cursor !== undefined && { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const removal = useSubmit(() => {
    announce(t('delivery.recipient_removed'))
    void client.invalidateQueries({ queryKey: orpc.deliveries.recipients.key() })
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div className={classes.tab}>
      <TextField
        label={t('delivery.find_recipient')}
        type="search"
        value={q}
        onChange={(event) => setQ(event.target.value)}
      />
      {removal.failure}
      {query.isPending ? <LoadingState /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isSuccess && items.length === 0 ? (
        <EmptyState title={t(asked ? 'delivery.no_match' : 'delivery.no_recipients')}>
          {asked ? null : t('delivery.no_recipients_text')}
        </EmptyState>
      ) : null}
      <ul className={classes.list}>
        {items.map(({ id, person, phone, place, instructions }) => (
          <li key={id} className={classes.card}>
            <div className={classes.facts}>
              <strong dir="auto">{person}</strong>
              <Ltr>{phone}</Ltr>
              <span dir="auto">{place.add}</span>
              {instructions ? (
                <span className={classes.soft} dir="auto">
                  {instructions}
                </span>
              ) : null}
            </div>
            <Button
              size="small"
              variant="quiet"
              aria-label={t('delivery.remove_recipient', { name: person })}
              busy={removal.busy}
              onClick={() => removal.send(() => api.deliveries.removeRecipient({ id }))}
            >
              {t('delivery.remove_short')}
            </Button>
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('delivery.show_more')}
        </Button>
      ) : null}
    </div>
  )
}
