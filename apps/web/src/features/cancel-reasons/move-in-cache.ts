import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { moved } from '@hansom/domain/cancel-reasons/reasons'
import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from '../../lib/query-client.ts'
import { rowsKey } from '../../ui/table/row-cache.ts'
import type { TablePage } from '../../ui/table/table-types.ts'

type Pages = InfiniteData<TablePage<AdminCancelReason>, string | undefined>

/**
 * Shows a reason at another place, in pages as long as they were. `order` is the list's version from then on; left out
 * while the server has not answered.
 */
export function moveInCache(table: string, id: string, to: number, order?: number): void {
  queryClient.setQueriesData<Pages>({ queryKey: rowsKey(table) }, (data) => {
    if (!data) return data
    const all = data.pages.flatMap(({ items }) => items)
    const from = all.findIndex((reason) => reason.id === id)
    if (from < 0) return data
    const list = moved(all, from, to).map((reason, value) => ({
      ...reason,
      value,
      order: order ?? reason.order,
    }))
    let start = 0
    const pages = data.pages.map((page) => {
      const items = list.slice(start, start + page.items.length)
      start += page.items.length
      return { ...page, items }
    })
    return { ...data, pages }
  })
}
