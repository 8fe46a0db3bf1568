import type { PromoView } from '@hansom/contract/promos'
import { promosTableSpec } from '@hansom/contract/promos-table'
import { useMemo } from 'react'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { promoColumns } from './columns.tsx'
import { PromoDialog } from './promo-dialog.tsx'

const idOf = (promo: PromoView) => promo.id
const nameOf = (promo: PromoView) => promo.promo_name

/** The codes that make a trip cheaper. */
export function PromosScreen() {
  const { t } = useText()
  const { timezone, AllowCriticalEditsAdmin } = useSettings()
  const columns = useMemo(() => promoColumns(t, timezone), [t, timezone])
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
          <PromoDialog promo={null} onClose={onClose} onSaved={onCreated} />
        ),
      }}
      editDialog={({ row, onClose, onSaved }) => (
        <PromoDialog promo={row} onClose={onClose} onSaved={onSaved} />
      )}
      remove={{ name: nameOf, call: ({ id }) => api.promos.remove({ id }), safety: 'undo' }}
      routes={{ save: 'promos.update', create: 'promos.create', remove: 'promos.remove' }}
      exportUrl={AllowCriticalEditsAdmin ? '/api/v1/exports/promos' : undefined}
      empty={{ title: 'promos.empty', text: 'promos.empty_text' }}
    />
  )
}
