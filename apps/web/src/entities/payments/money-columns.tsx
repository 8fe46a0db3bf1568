import type { Format } from '../../lib/format.ts'
import { Money } from '../../ui/money.tsx'
import type { TableColumn } from '../../ui/table/table-types.ts'

/** Columns that the tables of refunds and of card payments have in common. */
export function moneyColumns<Row extends { amount: number }>(format: Format) {
  return {
    amount: (width: number): TableColumn<Row> => ({
      id: 'amount',
      header: 'refunds.amount',
      cell: ({ amount }) => <Money amount={amount} />,
      sort: 'amount',
      align: 'end',
      amount: true,
      width,
      phone: 'subtitle',
    }),
    person: (id: string, header: string, width: number, nameOf: (row: Row) => string): TableColumn<Row> => ({
      id,
      header,
      cell: (row) => <bdi>{nameOf(row)}</bdi>,
      width,
      phone: 'subtitle',
    }),
    time: (
      id: string,
      header: string,
      at: (row: Row) => number | null,
      more: Pick<TableColumn<Row>, 'sort'> = {},
    ): TableColumn<Row> => ({
      id,
      header,
      cell: (row) => {
        const moment = at(row)
        return moment === null ? null : <bdi>{format.dateTime(moment)}</bdi>
      },
      width: 190,
      ...more,
    }),
  }
}
