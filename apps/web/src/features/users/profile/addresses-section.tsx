import type { SavedAddress } from '@hansom/domain/users/profile'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { matchesQuery } from '../../../lib/matches-query.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FocusFirst } from '../../../ui/focus-first.tsx'
import { PlainForm } from '../../../ui/form-card.tsx'
import { ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useUndoRemove } from '../../../ui/use-undo-remove.ts'
import classes from './profile-screen.module.css'
import { ErrorNotice, Section } from './section.tsx'

const options = orpc.users.savedAddresses.queryOptions()
const refresh = () => queryClient.invalidateQueries({ queryKey: options.queryKey })

type Address = SavedAddress & { id: string }

/** Number shown initially; showing all of them adds a search field. */
const few = 5
const nameOf = ({ label, description }: Address) => label ?? description

/** The user's saved places, which booking suggests first. */
export function AddressesSection() {
  const { t } = useText()
  const query = useQuery(options)
  const [renaming, setRenaming] = useState<Address | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [showsAll, showAll] = useState(false)
  const [search, setSearch] = useState('')
  const removal = useUndoRemove<Address>({
    rowId: ({ id }) => id,
    call: async ({ id }) => {
      await api.users.removeAddress({ id })
      await refresh()
    },
    removed: () => setError(null),
    failed: setError,
  })
  const kept = (query.data ?? []).filter(({ id }) => !removal.hidden.has(id))
  const found = kept.filter((address) =>
    matchesQuery(search, `${address.label ?? ''} ${address.description}`),
  )
  const shown = showsAll ? found : found.slice(0, few)

  return (
    <Section
      title={t('profile.addresses')}
      intro={kept.length === 0 && query.data ? t('profile.no_addresses') : undefined}
    >
      {query.isPending ? <LoadingState rows={2} /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      <ErrorNotice error={error} />
      {showsAll ? (
        <TextField
          label={t('profile.search_places')}
          type="search"
          dir="auto"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      ) : null}
      {kept.length > 0 && found.length === 0 ? <output>{t('profile.no_such_place')}</output> : null}
      {shown.length > 0 ? (
        <ul className={classes.list}>
          {shown.map((address) => (
            <li key={address.id} className={classes.item}>
              <span className={classes.grow}>
                <bdi>{nameOf(address)}</bdi>
                {address.label ? (
                  <span className={classes.address}>
                    <bdi>{address.description}</bdi>
                  </span>
                ) : null}
              </span>
              <Button
                variant="quiet"
                size="icon"
                aria-label={t('profile.rename', { name: nameOf(address) })}
                onClick={() => setRenaming(address)}
              >
                <IconPencil size={20} stroke={1.6} aria-hidden />
              </Button>
              <Button
                variant="quiet"
                size="icon"
                aria-label={t('profile.remove', { name: nameOf(address) })}
                onClick={() => removal.remove(address)}
              >
                <IconTrash size={20} stroke={1.6} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {showsAll || found.length <= few ? null : (
        <Button onClick={() => showAll(true)}>{t('profile.all_places', { total: kept.length })}</Button>
      )}
      <output>
        {removal.last ? (
          <span className={classes.undo}>
            <span>{t('profile.removed')}</span>
            <Button size="small" onClick={removal.undo}>
              {t('profile.undo')}
            </Button>
          </span>
        ) : null}
      </output>
      {renaming ? <RenameDialog address={renaming} onClose={() => setRenaming(null)} /> : null}
    </Section>
  )
}

function RenameDialog({ address, onClose }: { address: Address; onClose: () => void }) {
  const { t } = useText()
  const [label, setLabel] = useState(address.label ?? '')
  const rename = useMutation({
    mutationFn: () => api.users.renameAddress({ id: address.id, label: label.trim() }),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('profile.rename_title')}>
      <PlainForm onSubmit={() => (rename.isPending ? undefined : rename.mutate())}>
        <FocusFirst>
          <TextField
            label={t('profile.address_name')}
            name="label"
            dir="auto"
            maxLength={60}
            hint={t('profile.address_name_hint', { address: isolated(address.description) })}
            value={label}
            onChange={(event) => setLabel(event.target.value)}
          />
        </FocusFirst>
        <ErrorNotice error={rename.error} />
        <Button type="submit" variant="primary" wide busy={rename.isPending}>
          {t('profile.save')}
        </Button>
      </PlainForm>
    </Dialog>
  )
}
