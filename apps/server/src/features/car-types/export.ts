import type { AdminCarType } from '@hansom/contract/car-types'
import { carTypesTableSpec } from '@hansom/contract/car-types-table'
import { plainAmount, unit } from '@hansom/domain/money/amount'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { CarTypesAdmin } from './admin-service.ts'

/** CSV export of the car types. */
export const carTypesExport = (office: Pick<CarTypesAdmin, 'all'>): TableExport =>
  tableExport<AdminCarType>({
    name: 'car-types',
    offer: carTypesTableSpec,
    roles: ['admin'],
    when: 'always',
    rows: (_person, query) => office.all(query),
    columns: [
      { title: 'carTypes.name', kind: 'text', value: (row) => row.name },
      { title: 'carTypes.position_short', kind: 'number', value: (row) => row.position + 1 },
      { title: 'carTypes.seats', kind: 'number', value: (row) => row.seats },
      { title: 'carTypes.base_fare', kind: 'amount', value: (row) => row.base_fare },
      {
        title: 'carTypes.rate_per_unit_distance',
        kind: 'amount',
        value: (row) => row.rate_per_unit_distance,
      },
      { title: 'carTypes.rate_per_hour', kind: 'amount', value: (row) => row.rate_per_hour },
      { title: 'carTypes.min_fare', kind: 'amount', value: (row) => row.min_fare },
      {
        title: 'carTypes.convenience_fee_type',
        kind: { words: 'carTypes.fee_' },
        value: (row) => row.convenience_fee_type,
      },
      // A percentage may have more decimals than the currency.
      { title: 'carTypes.convenience_fees', kind: 'number', value: (row) => row.convenience_fees / unit },
      {
        title: 'carTypes.slabs',
        kind: 'text',
        value: (row) =>
          row.cancelSlab
            .map(({ minsDelayed, amount }) => `${minsDelayed}: ${plainAmount(amount, 2)}`)
            .join('; '),
      },
      { title: 'carTypes.extra_info', kind: 'text', value: (row) => row.extra_info },
    ],
  })
