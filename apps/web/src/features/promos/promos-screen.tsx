import type { PromoView } from '@hansom/contract/promos'
import { promosTableSpec } from '@hansom/contract/promos-table'
import { useMemo } from 'react'
import { api } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { fieldOf } from '../../ui/record-field.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { PromoDialog } from './promo-dialog.tsx'
import { createdColumn, promoColumns } from './promo-fields.tsx'

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
      news="promos"
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
