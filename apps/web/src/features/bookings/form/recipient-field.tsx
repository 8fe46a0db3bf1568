import type { SavedRecipient } from '@hansom/contract/deliveries'
import { deliveryLimits } from '@hansom/domain/deliveries/delivery'
import { IconAddressBook } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { useMe } from '../../../lib/session.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import frame from '../../../ui/combobox.module.css'
import { Combobox } from '../../../ui/combobox.tsx'
import { TextField } from '../../../ui/text-field.tsx'

interface Props {
  name: string
  value: string
  error: string | undefined
  onType: (person: string) => void
  onChoose: (recipient: SavedRecipient) => void
}

const debounceMs = 200
const mostShown = 6

/** A recipient's name; for senders, with suggestions from their address book. */
export function RecipientField(props: Props) {
  const { name, value, error, onType } = props
  const { t } = useText()
  if (useMe()?.usertype === 'rider') return <SavedRecipients {...props} />
  return (
    <TextField
      name={name}
      label={t('delivery.person')}
      value={value}
      error={error}
      dir="auto"
      autoComplete="off"
      maxLength={deliveryLimits.person}
      required
      onChange={({ target }) => onType(target.value)}
    />
  )
}

function SavedRecipients({ name, value, error, onType, onChoose }: Props) {
  const { t } = useText()
  const [isOpen, setOpen] = useState(false)
  const q = useDebounced(value.trim(), debounceMs)
  // Suggestions help, but are never needed: an error shows none.
  const { data, isFetching } = useQuery({
    ...orpc.deliveries.recipients.queryOptions({ input: q ? { q } : {} }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const found = data?.items.slice(0, mostShown) ?? []
  return (
    <div className={frame.picker}>
      <Combobox
        name={name}
        label={t('delivery.person')}
        value={value}
        problem={error ?? null}
        options={found.map(({ id, person, place }) => ({
          id,
          label: person,
          detail: place.add,
          icon: <IconAddressBook size={18} aria-hidden />,
        }))}
        busy={isFetching && found.length > 0}
        onInput={(text) => onType(text.slice(0, deliveryLimits.person))}
        onSelect={(chosen) => {
          const recipient = found.find(({ id }) => id === chosen)
          if (recipient) onChoose(recipient)
        }}
        onOpenChange={setOpen}
      />
    </div>
  )
}
