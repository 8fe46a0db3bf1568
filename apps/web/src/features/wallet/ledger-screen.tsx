import { ledgerTableSpec } from '@hansom/contract/ledger-table'
import type { LedgerCheckView, LedgerEntry } from '@hansom/contract/wallet'
import { accountGroups } from '@hansom/domain/wallet/account-groups'
import { entryKinds } from '@hansom/domain/wallet/ledger'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { UserName, UserPicker } from '../../entities/users/user-picker.tsx'
import { api, orpc } from '../../lib/api.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { useTableState } from '../../ui/table/table-state.ts'
import type { FilterDisplay, TableColumn } from '../../ui/table/table-types.ts'
import ledger from './ledger.module.css'
import { accountName, EntryDialog, LedgerSums, largest } from './ledger-details.tsx'
import classes from './wallet.module.css'

/** The ledger of the platform, a user or a booking. All account balances add up to zero. */
export function LedgerScreen() {
  const { t } = useText()
  const format = useFormat()
  const { AllowCriticalEditsAdmin } = useSettings()
  const [{ filters: chosen }] = useTableState(ledgerTableSpec)
  const [open, setOpen] = useState<LedgerEntry | null>(null)
  const columns = useMemo(() => columnsFor(t, format), [t, format])
  const { user, booking } = chosen
  return (
    <div className={`${pageFrame} ${ledger.ledger}`}>
      <PageHead title={t('wallet.ledger')} />
      <LedgerSums user={user} booking={booking} />
      {user || booking ? null : <LedgerCheck />}
      <DataTable
        name="ledger"
        heading={false}
        title="wallet.ledger"
        spec={ledgerTableSpec}
        columns={columns}
        filters={filters}
        page={(query) => api.ledger.list(query)}
        count={(narrowing) => api.ledger.count(narrowing)}
        rowId={({ id }) => id}
        rowName={({ kind, at }) => `${t(`wallet.kind_${kind}`)}, ${format.dateTime(at)}`}
        onOpen={setOpen}
        exportUrl={AllowCriticalEditsAdmin ? '/api/v1/exports/ledger' : undefined}
        empty={{ title: 'wallet.ledger_none', text: 'wallet.ledger_none_text' }}
      />
      {open ? <EntryDialog entry={open} onClose={() => setOpen(null)} /> : null}
    </div>
  )
}

const UserPick: NonNullable<FilterDisplay['pick']> = ({ value, onChange }) => {
  const { t } = useText()
  return <UserPicker label={t('wallet.user')} value={value} onChange={onChange} />
}

/** Finds a booking by its code. */
const BookingPick: NonNullable<FilterDisplay['pick']> = ({ onChange }) => {
  const { t } = useText()
  const [code, setCode] = useState('')
  const typed = code.trim()
  const { data } = useQuery({
    ...orpc.bookings.list.queryOptions({ input: { q: typed, limit: 5 } }),
    enabled: typed.length >= 3,
  })
  const found = data?.items.find(({ booking_id }) => booking_id.toLowerCase() === typed.toLowerCase())
  return (
    <label className={ledger.pick}>
      {t('wallet.booking')}
      <input
        dir="ltr"
        autoComplete="off"
        value={code}
        onChange={(event) => setCode(event.target.value)}
        className={ledger.pickInput}
      />
      {found ? (
        <button type="button" className={ledger.pickFound} onClick={() => onChange(found.id)}>
          <Ltr>{found.booking_id}</Ltr>
        </button>
      ) : null}
    </label>
  )
}

function BookingName({ id }: { id: string }) {
  const { data } = useQuery(orpc.bookings.get.queryOptions({ input: { id } }))
  return <Ltr>{data?.booking_id ?? '…'}</Ltr>
}

const filters = {
  account: {
    label: 'wallet.account',
    words: Object.fromEntries(accountGroups.map((group) => [group, `wallet.account_${group}`])),
  },
  kind: {
    label: 'wallet.kind',
    words: Object.fromEntries(entryKinds.map((kind) => [kind, `wallet.kind_${kind}`])),
  },
  user: { label: 'wallet.user', pick: UserPick, named: UserName },
  booking: { label: 'wallet.booking', pick: BookingPick, named: BookingName },
  at: { label: 'wallet.at' },
}

function columnsFor(t: Translate, format: Format): TableColumn<LedgerEntry>[] {
  return [
    {
      id: 'kind',
      header: 'wallet.kind',
      cell: ({ kind }) => t(`wallet.kind_${kind}`),
      width: 180,
      wraps: true,
      phone: 'title',
    },
    {
      id: 'at',
      header: 'wallet.at',
      cell: ({ at }) => <bdi>{format.dateTime(at)}</bdi>,
      sort: 'at',
      width: 184,
      phone: 'subtitle',
    },
    {
      id: 'amount',
      header: 'wallet.amount',
      cell: (entry) => <Money amount={largest(entry)} />,
      align: 'end',
      amount: true,
      width: 104,
      phone: 'badge',
    },
    {
      id: 'legs',
      header: 'wallet.legs',
      cell: ({ legs }) => (
        <span className={ledger.legs}>
          {legs.map((leg, at) => (
            // Legs have no id and never change their order.
            <span key={at} className={ledger.leg}>
              <bdi>{accountName(leg, t)}</bdi> <Money amount={leg.amount} />
            </span>
          ))}
        </span>
      ),
      phoneCell: ({ legs }) => (
        <bdi>
          {[...new Set(legs.flatMap(({ group, name }) => (group === 'user' && name ? [name] : [])))].join(
            ', ',
          )}
        </bdi>
      ),
      width: 394,
      phone: 'subtitle',
    },
    {
      id: 'booking',
      header: 'wallet.booking',
      cell: ({ booking_id }) => (booking_id ? <Ltr>{booking_id}</Ltr> : null),
      width: 110,
    },
    {
      id: 'by',
      header: 'wallet.by',
      cell: ({ by_name }) => <bdi>{by_name ?? t('wallet.by_platform')}</bdi>,
      width: 136,
      wraps: true,
    },
    { id: 'note', header: 'wallet.note', cell: ({ note }) => <bdi>{note}</bdi>, width: 200, hidden: true },
  ]
}

/** Result of the last ledger check, with a button to run it again. */
function LedgerCheck() {
  const { t } = useText()
  const client = useQueryClient()
  const { data } = useQuery(orpc.ledger.lastCheck.queryOptions())
  const check = useMutation({
    ...orpc.ledger.check.mutationOptions(),
    onSuccess: (found) => client.setQueryData(orpc.ledger.lastCheck.queryKey(), { check: found }),
  })
  return (
    <div className={ledger.check}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the differences are a list, which an output cannot contain */}
      <div role="status">{data ? <Told check={data.check} /> : null}</div>
      <Button variant="quiet" size="small" busy={check.isPending} onClick={() => check.mutate({})}>
        {t('wallet.check_now')}
      </Button>
      {check.isError ? <ErrorMessage error={check.error} /> : null}
    </div>
  )
}

function Told({ check }: { check: LedgerCheckView | null }) {
  const { t } = useText()
  const format = useFormat()
  if (check === null) return <p className={classes.intro}>{t('wallet.check_never')}</p>
  const at = format.dateTime(check.at)
  const words = { at, entries: format.number(check.entries), found: format.number(check.found) }
  if (check.right) return <p className={ledger.balanced}>{t('wallet.check_right', words)}</p>
  return (
    <details className={ledger.unbalanced}>
      <summary>{t('wallet.check_wrong', words)}</summary>
      <ul className={ledger.differences}>
        {check.differences.map(({ comparison, subject, kept, replayed }) => (
          <li key={`${comparison} ${subject} ${kept} ${replayed}`}>
            {t(`wallet.check_${comparison}` as string)} <Ltr>{subject}</Ltr>{' '}
            {comparison === 'entry'
              ? null
              : t('wallet.check_differs', { kept: format.money(kept), replayed: format.money(replayed) })}
          </li>
        ))}
      </ul>
    </details>
  )
}
