import type { PromoView } from '@hansom/contract/promos'
import { promosTableSpec } from '@hansom/contract/promos-table'
import { promoDiscount } from '@hansom/domain/fare/promo'
import { unit } from '@hansom/domain/money/amount'
import { type PromoFields, promoProblems } from '@hansom/domain/promos/check-promo'
import { useMemo, useState } from 'react'
import { api } from '../../lib/api.ts'
import { serverNow } from '../../lib/clock.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Money } from '../../ui/money.tsx'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { fieldOf, type RecordField } from '../../ui/record-field.tsx'
import form from '../../ui/record-form.module.css'
import { DataTable } from '../../ui/table/data-table.tsx'
import { readEdit, unreadable } from '../../ui/table/edit-value.ts'
import { TextField } from '../../ui/text-field.tsx'
import { blankPromo, createdColumn, type PromoDraft, promoColumns } from './promo-fields.tsx'

const idOf = (promo: PromoView) => promo.id
const nameOf = (promo: PromoView) => promo.promo_name

/** Discount codes. */
export function PromosScreen() {
  const { t } = useText()
  const { timezone, AllowCriticalEditsAdmin } = useSettings()
  const format = useFormat()
  const described = useMemo(() => promoColumns(t, format, timezone), [t, format, timezone])
  const columns = useMemo(() => [...described, createdColumn(format)], [described, format])
  const fields = useMemo(() => described.filter(({ edit }) => edit).map((one) => fieldOf(one)), [described])
  return (
    <DataTable
      name="promos"
      changeEvents="promos"
      title="promos.title"
      spec={promosTableSpec}
      columns={columns}
      filters={{
        promo_discount_type: {
          label: 'promos.promo_discount_type',
          words: { flat: 'promos.type_flat', percentage: 'promos.type_percentage' },
        },
        promo_validity: { label: 'promos.promo_validity' },
      }}
      page={(query) => api.promos.list(query)}
      count={(narrowing) => api.promos.count(narrowing)}
      rowId={idOf}
      rowName={nameOf}
      save={({ id, version }, changes) => api.promos.update({ ...changes, id, version })}
      create={{
        label: 'promos.add',
        dialog: ({ onClose, onCreated }) => (
          <PromoDialog promo={null} fields={fields} onClose={onClose} onSaved={onCreated} />
        ),
      }}
      editDialog={({ row, onClose, onSaved }) => (
        <PromoDialog promo={row} fields={fields} onClose={onClose} onSaved={onSaved} />
      )}
      remove={{ name: nameOf, call: ({ id }) => api.promos.remove({ id }), safety: 'undo' }}
      routes={{ save: 'promos.update', create: 'promos.create', remove: 'promos.remove' }}
      exportUrl={AllowCriticalEditsAdmin ? '/api/v1/exports/promos' : undefined}
      empty={{ title: 'promos.empty', text: 'promos.empty_text' }}
    />
  )
}

interface Props {
  /** Null adds one. */
  promo: PromoView | null
  fields: readonly RecordField<PromoDraft>[]
  onClose: () => void
  onSaved: (promo: PromoView) => void
}

/** All fields of a promo, with a preview of the discount on a trip. */
function PromoDialog({ promo, fields, onClose, onSaved }: Props) {
  const { t } = useText()
  const { timezone } = useSettings()
  return (
    <RecordDialog<PromoDraft, PromoView>
      title={promo ? <bdi>{promo.promo_name}</bdi> : t('promos.add')}
      action={t(promo ? 'table.save' : 'promos.add')}
      width={720}
      command={`promos ${promo?.id ?? ''}`}
      record={promo}
      blank={blankPromo}
      fields={fields}
      check={(draft, record) =>
        promoProblems(draft, { user_avail: record?.user_avail ?? 0, now: record ? null : serverNow() })
      }
      save={({ draft, changes, record, options }) =>
        record
          ? api.promos.update({ ...changes, id: record.id, version: record.version }, options)
          : api.promos.create(draft, options)
      }
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ field, preview }) => (
        <>
          <div className={form.pair}>
            {field('promo_name', t('promos.name_hint'))}
            {field('promo_description')}
          </div>
          <fieldset className={form.section}>
            <legend>{t('promos.discount')}</legend>
            <div className={form.pair}>
              {field('promo_discount_type')}
              {field('promo_discount_value')}
              {field('max_promo_discount_value', t('promos.cap_hint'))}
              {field('min_order', t('promos.min_order_hint'))}
            </div>
          </fieldset>
          {preview(['promo_discount_value', 'max_promo_discount_value', 'min_order'], (draft) => (
            <PromoPreview draft={draft} />
          ))}
          <fieldset className={form.section}>
            <legend>{t('promos.use')}</legend>
            <div className={form.pair}>
              {field('promo_validity', t('promos.validity_hint', { timezone }))}
              {field(
                'promo_usage_limit',
                promo ? t('promos.used_so_far', { count: promo.user_avail }) : undefined,
              )}
            </div>
          </fieldset>
        </>
      )}
    </RecordDialog>
  )
}

const maxCost = 10_000_000 * unit

/** The discount on a trip, calculated as for a booking. `draft` is null while it has mistakes. */
function PromoPreview({ draft }: { draft: PromoFields | null }) {
  const { t } = useText()
  const settings = useSettings()
  const [cost, setCost] = useState('500')
  const read = readEdit({ kind: 'amount' }, cost, settings)
  const tripCost =
    read !== unreadable && typeof read === 'number' && read >= 0 && read <= maxCost ? read : null
  const saved = draft && tripCost !== null ? promoDiscount(draft, tripCost, settings.decimal) : null

  return (
    <section className={form.preview} aria-label={t('promos.preview')}>
      <p className={form.heading}>{t('promos.preview')}</p>
      <TextField
        label={t('promos.preview_trip')}
        value={cost}
        dir="ltr"
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        onChange={(event) => setCost(event.target.value)}
      />
      <output>
        {saved !== null && tripCost !== null ? (
          <>
            <span className={form.previewTotal}>
              {t('promos.preview_saves')}
              <strong data-preview="saves">
                <Money amount={saved} />
              </strong>
            </span>
            <span className={form.previewLine}>
              {t('promos.preview_pays')}
              <Money amount={tripCost - saved} />
            </span>
            {draft && tripCost < draft.min_order ? (
              <span className={form.hint}>{t('promos.preview_below')}</span>
            ) : null}
          </>
        ) : (
          <span className={form.hint}>{t('promos.preview_waits')}</span>
        )}
      </output>
    </section>
  )
}
