import type { SavedRecipient } from '@hansom/contract/deliveries'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import classes from './parcels.module.css'
import { RecipientDialog } from './recipient-dialog.tsx'

/** The sender's saved recipients, newest first. */
export function AddressBookTab() {
  const { t } = useText()
  const client = useQueryClient()
  const [q, setQ] = useState('')
  const [edited, setEdited] = useState<SavedRecipient | 'new' | null>(null)
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
  const reload = () => client.invalidateQueries({ queryKey: orpc.deliveries.recipients.key() })
  const removal = useSubmit(() => {
    announce(t('parcels.recipient_removed'))
    void reload()
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div className={classes.tab}>
      <div>
        <Button onClick={() => setEdited('new')}>
          <IconPlus size={18} aria-hidden />
          {t('parcels.add_recipient')}
        </Button>
      </div>
      <TextField
        label={t('parcels.find_recipient')}
        type="search"
        value={q}
        onChange={(event) => setQ(event.target.value)}
      />
      {removal.failure}
      {query.isPending ? <LoadingState /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isSuccess && items.length === 0 ? (
        <EmptyState title={t(asked ? 'parcels.no_match' : 'parcels.no_recipients')}>
          {asked ? null : t('parcels.no_recipients_text')}
        </EmptyState>
      ) : null}
      <ul className={classes.list}>
        {items.map((recipient) => {
          const { id, person, phone, email, place, instructions } = recipient
          return (
            <li key={id} className={classes.card}>
              <div className={classes.facts}>
                <strong>
                  <bdi>{person}</bdi>
                </strong>
                <span>
                  <Ltr>{phone}</Ltr>
                </span>
                <span>
                  <bdi>{place.add}</bdi>
                </span>
                {[instructions, email].map((text) =>
                  text ? (
                    <span key={text} className={classes.soft}>
                      <bdi>{text}</bdi>
                    </span>
                  ) : null,
                )}
              </div>
              <div className={classes.actions}>
                <Button
                  size="small"
                  aria-label={t('parcels.edit_recipient', { name: isolated(person) })}
                  onClick={() => setEdited(recipient)}
                >
                  {t('parcels.edit_short')}
                </Button>
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={t('parcels.remove_recipient', { name: isolated(person) })}
                  busy={removal.busy}
                  onClick={() => removal.send(() => api.deliveries.removeRecipient({ id }))}
                >
                  {t('parcels.remove_short')}
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
      {query.hasNextPage ? (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('parcels.show_more')}
        </Button>
      ) : null}
      {edited ? (
        <RecipientDialog
          recipient={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => {
            announce(t('parcels.recipient_saved'))
            setEdited(null)
            void reload()
          }}
        />
      ) : null}
    </div>
  )
}
