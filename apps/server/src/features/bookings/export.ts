import type { BookingView } from '@hansom/contract/bookings'
import { bookingsTableSpec } from '@hansom/contract/bookings-table'
import { audienceOf, type ExportedField, exportedFields, viewShape } from '@hansom/domain/bookings/fields'
import type { Shape } from '@hansom/domain/shape'
import { roles } from '@hansom/domain/users/roles'
import { type CellKind, type ExportColumn, tableExport } from '../../platform/tables/table-export.ts'
import type { BookingsService } from './service.ts'

/** The bookings table as a file. */
export const bookingsExport = (bookings: Pick<BookingsService, 'all'>) =>
  tableExport<BookingView>({
    name: 'bookings',
    offer: bookingsTableSpec,
    roles,
    when: 'critical',
    rows: (person, query) => bookings.all(person, query),
    columns: exportedFields.map(columnOf),
  })

function columnOf({ field, texts, to = audienceOf(field) }: ExportedField): ExportColumn<BookingView> {
  return {
    title: `exports.${field}`,
    kind: texts === undefined ? kindOf(viewShape[field]) : { words: texts },
    roles: roles.filter((role) => to.includes(role)),
    value: (row) => (field === 'distance' ? drivenOrPlanned(row) : cellOf(row[field])),
  }
}

const drivenOrPlanned = ({ distance, estimateDistance }: BookingView) =>
  Math.round((distance ?? estimateDistance) * 100) / 100

const cellOf = (value: BookingView[keyof BookingView]) => {
  if (typeof value === 'object' && value !== null) throw new TypeError('an exported field is one value')
  return value
}

function kindOf(shape: Shape): CellKind {
  switch (shape.kind) {
    case 'nullable':
      return kindOf(shape.of)
    case 'integer':
      return 'number'
    case 'number':
    case 'amount':
    case 'time':
    case 'flag':
      return shape.kind
    default:
      return 'text'
  }
}
