import type { AuditEntry } from '@hansom/contract/audit'
import { auditTableSpec } from '@hansom/contract/audit-table'
import { auditLines } from '@hansom/domain/audit/field-values'
import { auditKinds } from '@hansom/domain/audit/record-kinds'
import { useMemo, useState } from 'react'
import { UserName, UserPicker } from '../../entities/users/user-picker.tsx'
import { api } from '../../lib/api.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { FilterDisplay, TableColumn } from '../../ui/table/table-types.ts'
import classes from './audit.module.css'
import { type AuditWriter, actionChoices, auditWriter } from './audit-words.ts'

const kindWords = Object.fromEntries(auditKinds.map((kind) => [kind, `audit.kind_${kind}`]))

/** Changes made by admins and fleet admins: who, when, what, before and after. */
export function AuditScreen() {
  const { t } = useText()
  const format = useFormat()
  const { AllowCriticalEditsAdmin, convert_to_mile } = useSettings()
  const [open, setOpen] = useState<AuditEntry | null>(null)
  const writer = useMemo(() => auditWriter(t, format, convert_to_mile), [t, format, convert_to_mile])
  const columns = useMemo(() => columnsFor(t, format, writer), [t, format, writer])
  const filters = useMemo(
    () => ({
      by_user: { label: 'audit.by', pick: AdminPick, named: UserName },
      kind: { label: 'audit.kind', words: kindWords },
      action: { label: 'audit.action', choices: actionChoices(t, writer) },
      at: { label: 'audit.at' },
    }),
    [t, writer],
  )
  return (
    <>
      <DataTable
        name="audit"
        changeEvents="audit"
        title="audit.title"
        spec={auditTableSpec}
        columns={columns}
        filters={filters}
        page={(query) => api.audit.list(query)}
        count={(narrowing) => api.audit.count(narrowing)}
        rowId={({ id }) => id}
        rowName={({ label }) => label}
        onOpen={setOpen}
        exportUrl={AllowCriticalEditsAdmin ? '/api/v1/exports/audit' : undefined}
        empty={{ title: 'audit.none', text: 'audit.none_text' }}
      />
      {open ? <EntryDialog entry={open} writer={writer} onClose={() => setOpen(null)} /> : null}
    </>
  )
}

function columnsFor(t: Translate, format: Format, writer: AuditWriter): TableColumn<AuditEntry>[] {
  return [
    {
      id: 'at',
      header: 'audit.at',
      cell: ({ at }) => <bdi>{format.dateTime(at)}</bdi>,
      sort: 'at',
      width: 196,
      phone: 'subtitle',
    },
    {
      id: 'by',
      header: 'audit.by',
      cell: ({ by_name }) => <bdi>{by_name}</bdi>,
      width: 150,
      wraps: true,
      phone: 'subtitle',
    },
    {
      id: 'action',
      header: 'audit.action',
      cell: ({ action }) => writer.action(action),
      width: 150,
      wraps: true,
      phone: 'badge',
    },
    {
      id: 'kind',
      header: 'audit.kind',
      cell: ({ kind }) => t(`audit.kind_${kind}`),
      width: 130,
      wraps: true,
    },
    {
      id: 'label',
      header: 'audit.label',
      cell: ({ label }) => <bdi>{label}</bdi>,
      width: 150,
      wraps: true,
      phone: 'title',
    },
    {
      id: 'changes',
      header: 'audit.changes',
      cell: (entry) => changeWords(entry, t, writer),
      width: 300,
      wraps: true,
    },
  ]
}

const AdminPick: NonNullable<FilterDisplay['pick']> = ({ value, onChange }) => {
  const { t } = useText()
  return (
    <UserPicker label={t('audit.by')} usertype={['admin', 'fleetadmin']} value={value} onChange={onChange} />
  )
}

function EntryDialog(props: { entry: AuditEntry; writer: AuditWriter; onClose: () => void }) {
  const { entry, writer, onClose } = props
  const { t } = useText()
  const format = useFormat()
  return (
    <Dialog
      open
      onClose={onClose}
      width={680}
      title={
        <>
          {writer.action(entry.action)} · {t(`audit.kind_${entry.kind}`)} · <bdi>{entry.label}</bdi>
        </>
      }
    >
      <p className={classes.who}>
        <bdi>{entry.by_name}</bdi>
        {' · '}
        <bdi>{format.dateTime(entry.at)}</bdi>
      </p>
      <ChangeList entry={entry} writer={writer} />
    </Dialog>
  )
}

/** The changed fields of an entry, before and after side by side. */
function ChangeList({ entry, writer }: { entry: AuditEntry; writer: AuditWriter }) {
  const { t } = useText()
  const { before, after, kind, names } = entry
  const lines = auditLines(before, after)
  if (lines.length === 0) return <p className={classes.quiet}>{t('audit.no_fields')}</p>
  return (
    <table className={classes.changes}>
      <thead>
        <tr>
          <th scope="col">{t('audit.field')}</th>
          {before ? <th scope="col">{t('audit.before')}</th> : null}
          {after ? <th scope="col">{t('audit.after')}</th> : null}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.field}>
            <th scope="row">{writer.field(kind, line.field)}</th>
            {before ? (
              <td className={after ? classes.was : undefined}>
                <bdi>{writer.value(line.field, line.before, names)}</bdi>
              </td>
            ) : null}
            {after ? (
              <td>
                <bdi>{writer.value(line.field, line.after, names)}</bdi>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The changed fields in one line, for a table cell. */
function changeWords({ before, after, kind, names }: AuditEntry, t: Translate, writer: AuditWriter): string {
  return auditLines(before, after)
    .map(({ field, before: was, after: is }) => {
      const name = writer.field(kind, field)
      const value =
        before === null || after === null
          ? writer.value(field, is ?? was, names)
          : writer.change(writer.value(field, was, names), writer.value(field, is, names))
      return t('common.labeled', { name, value })
    })
    .join(' · ')
}
