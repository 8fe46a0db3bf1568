import type { BookingView } from '@hansom/contract/bookings'

/** Returns the view with the higher version; `next` if they are equal or different bookings. */
export function newerView(old: BookingView | undefined, next: BookingView): BookingView {
  return old && old.id === next.id && old.version > next.version ? old : next
}

/** Replaces a view in a list, or adds it in front. */
export function upsertView(list: readonly BookingView[], view: BookingView): BookingView[] {
  const at = list.findIndex(({ id }) => id === view.id)
  return at < 0 ? [view, ...list] : list.map((old, index) => (index === at ? newerView(old, view) : old))
}
