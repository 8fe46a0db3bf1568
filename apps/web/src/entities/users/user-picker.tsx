import type { usersTableSpec } from '@hansom/contract/users-table'
import type { Role } from '@hansom/domain/users/roles'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import classes from '../../ui/combobox.module.css'
import { Combobox } from '../../ui/combobox.tsx'

const shown = 8

interface Props {
  label: string
  /** Only these roles; defaults to all but admins. */
  usertype?: Role | readonly Role[]
  /** Additional filters of the users table. */
  narrowing?: Readonly<Partial<Record<keyof (typeof usersTableSpec)['filters'], string>>>
  /** The selected user's id. */
  value: string | undefined
  onChange: (id: string | undefined) => void
}

/** Selects a user by part of the name, email, mobile or number plate. For admins. */
export function UserPicker({ label, usertype, narrowing, value, onChange }: Props) {
  const { t } = useText()
  const [typed, setTyped] = useState<string | null>(null)
  const types = usertype === undefined ? {} : { usertype: [usertype].flat().join(',') }
  const q = useDeferredValue(typed?.trim() ?? '')
  const chosen = useQuery({
    ...orpc.users.get.queryOptions({ input: { id: value ?? '' } }),
    enabled: value !== undefined,
  })
  const found = useQuery({
    ...orpc.users.list.queryOptions({
      input: { ...narrowing, ...types, limit: shown, ...(q.length > 1 ? { q } : {}) },
    }),
    placeholderData: keepPreviousData,
  })
  // Results of an earlier query cannot be selected.
  const isStale = found.isPlaceholderData || q !== (typed?.trim() ?? '')
  const users = isStale ? [] : (found.data?.items ?? [])
  const name = chosen.data && value ? `${chosen.data.firstName} ${chosen.data.lastName}` : ''
  return (
    <div className={`${classes.picker} ${classes.roomy}`}>
      <Combobox
        label={label}
        placeholder={t('table.user_hint')}
        value={typed ?? name}
        onInput={(text) => {
          setTyped(text)
          if (text === '') onChange(undefined)
        }}
        busy={found.isFetching || isStale}
        options={users.map((user) => ({
          id: user.uid,
          label: `${user.firstName} ${user.lastName}`.trim(),
          detail: [user.vehicleNumber, user.mobile, user.email].filter(Boolean).join(' · '),
        }))}
        onSelect={(id) => {
          onChange(id)
          setTyped(null)
        }}
        onOpenChange={(open) => {
          if (!open) setTyped(null)
        }}
        notice={!isStale && found.data?.items.length === 0 ? t('table.no_match') : undefined}
      />
    </div>
  )
}

/** Name of a user by id, for chips and labels. */
export function UserName({ id }: { id: string }) {
  const { data } = useQuery(orpc.users.get.queryOptions({ input: { id } }))
  return <bdi>{data ? `${data.firstName} ${data.lastName}` : '…'}</bdi>
}
