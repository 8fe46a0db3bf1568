import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FocusFirst } from '../../ui/focus-first.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useUndoRemove } from '../../ui/use-undo-remove.ts'
import { Failure } from './failure.tsx'
import classes from './profile-screen.module.css'
import { Section } from './section.tsx'

const options = orpc.users.savedAddresses.queryOptions()
const refresh = () => queryClient.invalidateQueries({ queryKey: options.queryKey })

interface Address {
  id: string
  description: string
}

/** The places that booking proposes first. */
export function AddressesSection() {
  const { t } = useText()
  const query = useQuery(options)
  const [renaming, setRenaming] = useState<Address | null>(null)
  const [error, setError] = useState<unknown>(null)
  const removal = useUndoRemove<Address>({
    rowId: ({ id }) => id,
    call: async ({ id }) => {
      await api.users.removeAddress({ id })
      await refresh()
    },
    removed: () => setError(null),
    failed: setError,
  })
  const shown = query.data?.filter(({ id }) => !removal.hidden.has(id)) ?? []

  return (
    <Section
      title={t('profile.addresses')}
      intro={shown.length === 0 && query.data ? t('profile.no_addresses') : undefined}
    >
      {query.isPending ? <LoadingState rows={2} /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      <Failure error={error} />
      {shown.length > 0 ? (
        <ul className={classes.list}>
          {shown.map((address) => (
            <li key={address.id} className={classes.item}>
              <bdi className={classes.grow}>{address.description}</bdi>
              <Button
                variant="quiet"
                size="icon"
                aria-label={t('profile.rename', { name: address.description })}
                onClick={() => setRenaming(address)}
              >
                <IconPencil size={20} stroke={1.6} aria-hidden />
              </Button>
              <Button
                variant="quiet"
                size="icon"
                aria-label={t('profile.remove', { name: address.description })}
                onClick={() => removal.remove(address)}
              >
                <IconTrash size={20} stroke={1.6} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      <div role="status">
        {removal.last ? (
          <div className={classes.undo}>
            <span>{t('profile.removed')}</span>
            <Button size="small" onClick={removal.undo}>
              {t('profile.undo')}
            </Button>
          </div>
        ) : null}
      </div>
      {renaming ? <RenameDialog address={renaming} onClose={() => setRenaming(null)} /> : null}
    </Section>
  )
}

function RenameDialog({ address, onClose }: { address: Address; onClose: () => void }) {
  const { t } = useText()
  const [description, setDescription] = useState(address.description)
  const rename = useMutation({
    mutationFn: () => api.users.renameAddress({ id: address.id, description: description.trim() }),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
  })
  const empty = description.trim() === ''
  return (
    <Dialog open onClose={onClose} title={t('profile.rename_title')}>
      <PlainForm onSubmit={() => (empty || rename.isPending ? undefined : rename.mutate())}>
        <FocusFirst>
          <TextField
            label={t('profile.address_name')}
            name="description"
            dir="auto"
            maxLength={200}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
            error={empty ? t('error.field_required') : null}
          />
        </FocusFirst>
        <Failure error={rename.error} />
        <Button type="submit" variant="primary" wide busy={rename.isPending}>
          {t('profile.save')}
        </Button>
      </PlainForm>
    </Dialog>
  )
}
