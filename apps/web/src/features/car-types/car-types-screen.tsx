import type { AdminCarType } from '@hansom/contract/car-types'
import { carTypesTableSpec } from '@hansom/contract/car-types-table'
import { useMemo } from 'react'
import { api } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Notice } from '../../ui/notice.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { CarTypeDialog } from './car-type-dialog.tsx'
import { carTypeColumns } from './car-type-fields.tsx'
import classes from './car-types.module.css'

const idOf = (carType: AdminCarType) => carType.id
const nameOf = (carType: AdminCarType) => carType.name

/** The car types that riders choose from, with their prices. */
export function CarTypesScreen() {
  const { t } = useText()
  const settings = useSettings()
  const format = useFormat()
  const columns = useMemo(
    () => carTypeColumns(t, format, settings.convert_to_mile),
    [t, format, settings.convert_to_mile],
  )
  return (
    <>
      {settings.AllowCriticalEditsAdmin ? null : (
        <div className={classes.notice}>
          <Notice tone="plain">{t('carTypes.demo')}</Notice>
        </div>
      )}
      <DataTable
        name="car-types"
        changeEvents="carTypes"
        title="carTypes.title"
        spec={carTypesTableSpec}
        columns={columns}
        filters={{
          convenience_fee_type: {
            label: 'carTypes.convenience_fee_type',
            words: { flat: 'carTypes.fee_flat', percentage: 'carTypes.fee_percentage' },
          },
        }}
        page={(query) => api.carTypes.table(query)}
        count={(narrowing) => api.carTypes.count(narrowing)}
        rowId={idOf}
        rowName={nameOf}
        save={({ id, version }, changes) => api.carTypes.update({ ...changes, id, version })}
        create={{
          label: 'carTypes.add',
          dialog: ({ onClose, onCreated }) => (
            <CarTypeDialog carType={null} onClose={onClose} onSaved={onCreated} />
          ),
        }}
        editDialog={({ row, onClose, onSaved }) => (
          <CarTypeDialog carType={row} onClose={onClose} onSaved={onSaved} />
        )}
        remove={{ name: nameOf, call: ({ id }) => api.carTypes.remove({ id }), safety: 'undo' }}
        routes={{ save: 'carTypes.update', create: 'carTypes.create', remove: 'carTypes.remove' }}
        exportUrl="/api/v1/exports/car-types"
        empty={{ title: 'carTypes.empty', text: 'carTypes.empty_text' }}
      />
    </>
  )
}
