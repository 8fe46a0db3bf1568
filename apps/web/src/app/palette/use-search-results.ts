import type { FoundBooking, FoundPerson } from '@hansom/contract/search'
import { IconRoute, IconSteeringWheel, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import type { PaletteGroup, PaletteItem } from './palette-item.ts'

/** Pause in typing before the search is sent. */
const debounceMs = 200
const fewestLetters = 2

/** Users and bookings that match the input; results of an earlier query are not shown. */
export function useSearchResults(typed: string): { groups: PaletteGroup[]; busy: boolean; error: unknown } {
  const { t } = useText()
  const format = useFormat()
  const wanted = typed.trim()
  const query = useDebounced(wanted, debounceMs)
  const searchable = wanted.length >= fewestLetters
  const search = useQuery({
    ...orpc.search.find.queryOptions({ input: { q: query } }),
    enabled: searchable && query.length >= fewestLetters,
    staleTime: 10_000,
  })
  if (!searchable) return { groups: [], busy: false, error: null }
  if (query !== wanted || search.isPending) return { groups: [], busy: !search.isError, error: search.error }
  if (!search.data) return { groups: [], busy: false, error: search.error }

  const person = (
    kind: 'rider' | 'driver',
    { uid, name, email, vehicleNumber }: FoundPerson,
  ): PaletteItem => ({
    id: `${kind}-${uid}`,
    label: name,
    detail: email,
    note: vehicleNumber,
    icon: kind === 'rider' ? IconUser : IconSteeringWheel,
    choice: { kind, id: uid, label: name, detail: email },
  })
  const booking = (found: FoundBooking): PaletteItem => {
    const detail = [format.date(found.tripdate), found.name, found.pickupAddress]
      .filter((part): part is string => Boolean(part))
      // Isolates each part's text direction, so that the parts follow the direction of the page.
      .map((part) => `\u2068${part}\u2069`)
      .join(' · ')
    return {
      id: `booking-${found.id}`,
      label: found.booking_id,
      detail,
      note: t(`history.status_${found.status}`),
      icon: IconRoute,
      choice: { kind: 'booking', id: found.id, label: found.booking_id, detail },
    }
  }
  const { riders, drivers, bookings } = search.data
  const people: PaletteGroup[] = [
    { id: 'drivers', items: drivers.map((one) => person('driver', one)) },
    { id: 'riders', items: riders.map((one) => person('rider', one)) },
  ]
  const trips: PaletteGroup = { id: 'bookings', items: bookings.map(booking) }
  // A booking code ranks bookings first; otherwise users come first.
  const isCode = bookings.some(({ booking_id }) => booking_id.startsWith(wanted.toUpperCase()))
  const groups = isCode ? [trips, ...people] : [...people, trips]
  return { groups, busy: false, error: null }
}
