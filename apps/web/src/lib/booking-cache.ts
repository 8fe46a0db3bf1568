import type { BookingView } from '@hansom/contract/bookings'
import { orpc } from './api.ts'
import { queryClient } from './query-client.ts'

interface Page {
  items: BookingView[]
  next: string | null
}

/** Where the office's table of bookings keeps its rows. */
const officeTable = ['table', 'bookings', 'rows']

/** Of two views of one booking, the one with the greater version; the newcomer when they are equal. */
export function newer(old: BookingView | undefined, next: BookingView): BookingView {
  return old && old.id === next.id && old.version > next.version ? old : next
}

/** Puts a view into its place in a list, or in front of it. */
export function putInto(list: readonly BookingView[], view: BookingView): BookingView[] {
  const at = list.findIndex(({ id }) => id === view.id)
  return at < 0 ? [view, ...list] : list.map((old, index) => (index === at ? newer(old, view) : old))
}

function inPage(page: Page, view: BookingView): Page {
  if (!page.items.some(({ id }) => id === view.id)) return page
  return { ...page, items: page.items.map((old) => (old.id === view.id ? newer(old, view) : old)) }
}

/** Stores a view wherever the cache holds its booking: the booking itself and every list. Use it for answers of commands too. */
export function storeBooking(view: BookingView): void {
  queryClient.setQueryData(orpc.bookings.get.queryKey({ input: { id: view.id } }), (old) => newer(old, view))
  for (const queryKey of [orpc.bookings.list.key(), officeTable]) {
    queryClient.setQueriesData<Page | { pages: Page[]; pageParams: unknown[] }>({ queryKey }, (old) => {
      if (!old) return old
      if ('pages' in old) return { ...old, pages: old.pages.map((page) => inPage(page, view)) }
      return inPage(old, view)
    })
  }
}
