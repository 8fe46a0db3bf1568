import { newerView } from '@hansom/client/booking-views'
import type { BookingView } from '@hansom/contract/bookings'
import { orpc } from './api.ts'
import { queryClient } from './query-client.ts'

interface Page {
  items: BookingView[]
  next: string | null
}

/** Query key prefix of the admin bookings table. */
const adminTable = ['table', 'bookings', 'rows']

function inPage(page: Page, view: BookingView): Page {
  if (!page.items.some(({ id }) => id === view.id)) return page
  return { ...page, items: page.items.map((old) => (old.id === view.id ? newerView(old, view) : old)) }
}

/** Updates every cached copy of a booking: the booking itself and all lists. Call it with command responses too. */
export function storeBooking(view: BookingView): void {
  queryClient.setQueryData(orpc.bookings.get.queryKey({ input: { id: view.id } }), (old) =>
    newerView(old, view),
  )
  for (const queryKey of [orpc.bookings.list.key(), adminTable]) {
    queryClient.setQueriesData<Page | { pages: Page[]; pageParams: unknown[] }>({ queryKey }, (old) => {
      if (!old) return old
      if ('pages' in old) return { ...old, pages: old.pages.map((page) => inPage(page, view)) }
      return inPage(old, view)
    })
  }
}
