import type { ImportView } from '@hansom/contract/deliveries'
import { maxLabels } from '@hansom/domain/deliveries/delivery'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { IconUpload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import hidden from '../../ui/visually-hidden.module.css'
import { ImportDetails, ImportLabels } from './import-details.tsx'
import classes from './parcels.module.css'

/** Upload of a CSV file, and the sender's files with their rows; for an admin, those of the rider `sender`. */
export function ImportsTab({ sender }: { sender?: string | undefined }) {
  const { t } = useText()
  const format = useFormat()
  const [open, setOpen] = useState<string | null>(null)
  const query = useQuery(orpc.deliveries.imports.queryOptions({ input: { sender } }))
  if (open !== null) return <ImportDetails id={open} sender={sender} onBack={() => setOpen(null)} />
  return (
    <div className={classes.tab}>
      <UploadForm sender={sender} onUploaded={({ id }) => setOpen(id)} />
      {query.isPending ? <LoadingState /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data?.length === 0 ? (
        <EmptyState title={t('parcels.no_imports')}>{t('parcels.no_imports_text')}</EmptyState>
      ) : null}
      <ul className={classes.list}>
        {query.data?.map(({ id, name, created_at, confirmed_at, counts }) => (
          <li key={id} className={classes.card}>
            <div className={classes.facts}>
              <strong>
                <bdi>{name}</bdi>
              </strong>
              <span className={classes.soft}>{format.dateTime(created_at)}</span>
              <span>
                {t(confirmed_at === null ? 'parcels.import_dry' : 'parcels.import_booked', {
                  number: format.number(counts[confirmed_at === null ? 'good' : 'booked'] ?? 0),
                  total: format.number(Object.values(counts).reduce((sum, rows) => sum + rows, 0)),
                })}
              </span>
            </div>
            <div className={classes.actions}>
              {/* The labels of a long file are in several files: they stand beside its rows. */}
              {(counts.booked ?? 0) > maxLabels ? null : <ImportLabels id={id} booked={counts.booked ?? 0} />}
              <Button
                size="small"
                aria-label={t('parcels.open_import', { name: isolated(name) })}
                onClick={() => setOpen(id)}
              >
                {t('parcels.show_rows')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

const maxBytes = 1_000_000
const columns =
  'pickup,drop,person,phone,email,instructions,window from,window to,parcel type,option,vehicle,reference'
/** Its window is over, so that it is never booked by mistake. */
const example =
  '"Main Street 12, City","Station Road 5, City",Recipient,+598 99 123 456,,Ring twice,2020-01-15 14:00,2020-01-15 16:00,,,,A-1001'
const csv = (lines: readonly string[]) =>
  `data:text/csv;charset=utf-8,${encodeURIComponent(`${lines.join('\n')}\n`)}`

/** How the cells of each column are written. */
const formats: readonly (readonly [columns: readonly string[], ...TextKey[]])[] = [
  [['pickup', 'drop'], 'parcels.format_place', 'parcels.format_needed'],
  [['person'], 'parcels.format_needed'],
  [['phone'], 'parcels.format_phone', 'parcels.format_needed'],
  [['window from', 'window to'], 'parcels.format_window'],
  [['parcel type', 'option', 'vehicle'], 'parcels.format_names'],
  [['reference'], 'parcels.format_reference'],
]

interface UploadProps {
  sender: string | undefined
  onUploaded: (file: ImportView) => void
}

function UploadForm({ sender, onUploaded }: UploadProps) {
  const { t } = useText()
  const client = useQueryClient()
  const fileId = useId()
  const [pickup, setPickup] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const upload = useSubmit((file: ImportView) => {
    void client.invalidateQueries({ queryKey: orpc.deliveries.imports.key() })
    onUploaded(file)
  })
  const choose = async (file: File | undefined) => {
    if (!file) return
    setProblem(null)
    if (file.size > maxBytes) return setProblem(t('parcels.file_too_large'))
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
      upload.send(() =>
        api.deliveries.startImport({
          name: file.name,
          text,
          sender,
          ...(pickup.trim() && { pickup: pickup.trim() }),
        }),
      )
    } catch {
      setProblem(t('parcels.file_not_text'))
    }
  }
  return (
    <section className={classes.upload} aria-labelledby={`${fileId}-title`}>
      <h2 id={`${fileId}-title`}>{t('parcels.import_title')}</h2>
      <p className={classes.soft}>{t(sender ? 'parcels.import_text_for' : 'parcels.import_text')}</p>
      <details className={classes.formats}>
        <summary>{t('parcels.formats')}</summary>
        <dl>
          {formats.map(([names, ...texts]) => (
            <div key={names[0]}>
              <dt>
                <Ltr>{names.join(', ')}</Ltr>
              </dt>
              <dd>{texts.map((text) => t(text)).join(' ')}</dd>
            </div>
          ))}
        </dl>
        <p>{t('parcels.format_example')}</p>
      </details>
      <TextField
        label={t('parcels.import_pickup')}
        hint={t('parcels.import_pickup_hint')}
        value={pickup}
        onChange={(event) => setPickup(event.target.value)}
      />
      <div className={classes.actions}>
        <input
          id={fileId}
          className={hidden.hidden}
          type="file"
          accept=".csv,text/csv"
          disabled={upload.busy}
          onChange={(event) => {
            void choose(event.target.files?.[0])
            // The same file can be chosen again.
            event.target.value = ''
          }}
        />
        <label htmlFor={fileId} className={buttonClass({ variant: 'primary' })} aria-disabled={upload.busy}>
          <IconUpload size={18} aria-hidden />
          {t('parcels.import_file')}
        </label>
        <a className={buttonClass({ variant: 'quiet' })} href={csv([columns])} download="deliveries.csv">
          {t('parcels.import_template')}
        </a>
        <a
          className={buttonClass({ variant: 'quiet' })}
          href={csv([columns, example])}
          download="deliveries-example.csv"
        >
          {t('parcels.import_example')}
        </a>
      </div>
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      {upload.failure}
    </section>
  )
}
