import type { Place as FoundPlace } from '@hansom/contract/places'
import type { PlacePoint } from '@hansom/domain/booking/booking'
import type { LatLng } from '@hansom/domain/geo/point'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconBuildingStore,
  IconCurrentLocation,
  IconHistory,
  IconHome,
  IconMapPin,
  IconRoad,
  IconStar,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import type { ComboboxOption } from '../../ui/combobox.tsx'
import { recentPlaces } from './recent-places.ts'

/** Typing rests this long before the search is asked. */
const debounceMs = 200
const mostResults = 7

export interface PlaceOption extends ComboboxOption {
  /** Null for "current location" and "set on map". */
  point: PlacePoint | null
}

export const hereId = 'here'
export const onMapId = 'on-map'

const icons = { street: IconRoad, address: IconHome, place: IconBuildingStore }

function fromSearch({ id, label, detail, kind, lat, lng }: FoundPlace): PlaceOption {
  const Icon = icons[kind]
  const add = detail ? `${label}, ${detail}` : label
  return { id, label, detail, icon: <Icon size={18} aria-hidden />, point: { lat, lng, add } }
}

/** Proposals for a place: the search's while something is typed, else where one is, saved places and recent ones. */
export function usePlaceOptions(typed: string, near: LatLng, active: boolean) {
  const { t } = useText()
  const signedIn = useMe() !== null
  const [query] = useDebouncedValue(typed.trim(), debounceMs)
  const searching = active && query.length > 0 && typed.trim().length > 0
  const search = useQuery({
    ...orpc.places.search.queryOptions({ input: { q: query, ...near, limit: mostResults } }),
    enabled: searching,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  })
  const saved = useQuery({ ...orpc.users.savedAddresses.queryOptions(), enabled: signedIn && active })

  const resting = useMemo(() => {
    if (!active) return []
    const known: PlaceOption[] = [
      {
        id: hereId,
        label: t('booking.current_location'),
        icon: <IconCurrentLocation size={18} aria-hidden />,
        point: null,
      },
      {
        id: onMapId,
        label: t('booking.set_on_map'),
        icon: <IconMapPin size={18} aria-hidden />,
        point: null,
      },
    ]
    const seen = new Set<string>()
    const add = (id: string, point: PlacePoint, icon: React.ReactNode, detail: string) => {
      if (seen.has(point.add)) return
      seen.add(point.add)
      known.push({ id, label: point.add, detail, icon, point })
    }
    const byUse = [...(saved.data ?? [])].sort((a, b) => b.count - a.count)
    for (const { id, description, lat, lng } of byUse.slice(0, 4)) {
      add(id, { lat, lng, add: description }, <IconStar size={18} aria-hidden />, t('booking.saved'))
    }
    for (const point of recentPlaces()) {
      add(`recent-${point.add}`, point, <IconHistory size={18} aria-hidden />, t('booking.recent'))
    }
    return known
  }, [active, saved.data, t])

  if (typed.trim() === '') return { options: resting, busy: false, error: null, nothing: false }
  const behind = query !== typed.trim() || search.isFetching
  return {
    options: (search.data ?? []).map(fromSearch),
    busy: behind,
    error: search.error,
    nothing: !behind && search.data?.length === 0,
  }
}
