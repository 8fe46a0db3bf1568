import type { Suggestion } from '@hansom/contract/places'
import type { PublicSettings } from '@hansom/contract/settings'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { LatLng } from '@hansom/domain/geo/point'
import type { SavedAddress } from '@hansom/domain/users/profile'
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
import { type Translate, useText } from '../../lib/i18n.ts'
import { matchesQuery } from '../../lib/matches-query.ts'
import { currentMe, useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import type { ComboboxOption } from '../../ui/combobox.tsx'

/** How long results of a search are reused, if the terms of the map service allow it. */
const reusedMs = 5 * 60_000
/** Pause in typing before the search is sent. */
const debounceMs = 200
const mostResults = 7
/** Maximum number of saved places matching by name; they come before the results. */
const mostNamed = 2
const mostCallerPlaces = 5

export interface PlaceOption extends ComboboxOption {
  /** Null for "current location" and "set on map", and for a result whose position `places.place` has. */
  point: PlacePoint | null
  /** A search result; `source` is the outside service that found it. */
  found?: Pick<Suggestion, 'id' | 'source'> & { add: string }
}

export const hereId = 'here'
export const onMapId = 'on-map'

const icons = { street: IconRoad, address: IconHome, place: IconBuildingStore }

function fromSearch(
  { id, label, detail, kind, lat, lng, missingNumber, source }: Suggestion,
  t: Translate,
): PlaceOption {
  const Icon = icons[kind]
  const add = detail ? `${label}, ${detail}` : label
  const note =
    missingNumber === undefined
      ? undefined
      : t(kind === 'address' ? 'booking.nearest_number' : 'booking.no_such_number', {
          number: String(missingNumber),
        })
  const point = lat === undefined || lng === undefined ? null : { lat, lng, add }
  const found = { id, add, ...(source ? { source } : {}) }
  return { id, label, detail, note, icon: <Icon size={18} aria-hidden />, point, found }
}

/** The label is the rider's private name; the booking gets the address. */
function fromSaved(place: SavedAddress & { id: string }, t: Translate): PlaceOption {
  const { id, label, description, lat, lng } = place
  return {
    id,
    label: label ?? description,
    detail: label === null ? t('booking.saved') : description,
    icon: <IconStar size={18} aria-hidden />,
    point: { lat, lng, add: description },
  }
}

function fromCaller(point: PlacePoint, t: Translate): PlaceOption {
  const icon = <IconStar size={18} aria-hidden />
  return { id: `caller-${point.add}`, label: point.add, detail: t('booking.saved'), icon, point }
}

/** Suggestions for a place: search results while typing, otherwise the current location, saved and recent places. */
export function usePlaceOptions(
  typed: string,
  near: LatLng,
  active: boolean,
  session: string,
  callerPlaces?: readonly PlacePoint[],
) {
  const { t } = useText()
  const signedIn = useMe() !== null
  const { mapServices } = useSettings()
  const mayReuse = mapServices.every((service) => service.mayReuse)
  const query = useDebounced(typed.trim(), debounceMs)
  // Services bill each search, so that none is sent for a text that has changed since.
  const searching = active && query.length > 0 && query === typed.trim()
  const search = useQuery({
    ...orpc.places.search.queryOptions({ input: { q: query, ...near, limit: mostResults, session } }),
    enabled: searching,
    placeholderData: keepPreviousData,
    ...(mayReuse ? { staleTime: reusedMs } : { staleTime: 0, gcTime: 0 }),
  })
  const isOwn = callerPlaces === undefined
  const saved = useQuery({
    ...orpc.users.savedAddresses.queryOptions(),
    enabled: signedIn && active && isOwn,
  })

  const resting = useMemo(() => {
    if (!active) return []
    const known: PlaceOption[] = [
      ...(callerPlaces ?? []).slice(0, mostCallerPlaces).map((point) => fromCaller(point, t)),
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
    if (callerPlaces) return known
    const seen = new Set<string>()
    for (const place of (saved.data ?? []).slice(0, 4)) {
      seen.add(place.description).add(place.label ?? place.description)
      known.push(fromSaved(place, t))
    }
    for (const point of recentPlaces()) {
      if (seen.has(point.add)) continue
      seen.add(point.add)
      const icon = <IconHistory size={18} aria-hidden />
      known.push({ id: `recent-${point.add}`, label: point.add, detail: t('booking.recent'), icon, point })
    }
    return known
  }, [active, saved.data, callerPlaces, t])

  if (typed.trim() === '')
    return { options: resting, attribution: '', busy: false, error: null, nothing: false, isOffline: false }
  // While offline, earlier results do not match the typed text.
  const isOffline = search.fetchStatus === 'paused'
  const found = isOffline ? [] : search.data
  const behind = query !== typed.trim() || search.isFetching
  const callers = (callerPlaces ?? []).filter(({ add }) => matchesQuery(typed, add))
  const own = (saved.data ?? []).filter(({ label }) => label !== null && matchesQuery(typed, label))
  return {
    options: [
      ...callers.slice(0, mostNamed).map((point) => fromCaller(point, t)),
      ...own.slice(0, mostNamed).map((place) => fromSaved(place, t)),
      ...(found ?? []).map((place) => fromSearch(place, t)),
    ],
    attribution: attributionOf(found ?? [], mapServices),
    busy: behind,
    error: search.error,
    nothing: !behind && !isOffline && own.length === 0 && callers.length === 0 && found?.length === 0,
    isOffline,
  }
}

/** The services whose terms require to be named beside these results. */
function attributionOf(found: readonly Suggestion[], services: PublicSettings['mapServices']): string {
  const sources = new Set(found.flatMap(({ source }) => (source ? [source] : [])))
  const creditOf = (source: string) =>
    services.find(({ service }) => service === source)?.attribution ?? source
  return [...sources].map(creditOf).join(' · ')
}

const storageKey = 'hansom-recent-places'
const kept = 5

interface Stored {
  /** The user who chose them; null for a visitor. */
  uid: string | null
  places: PlacePoint[]
}

/**
 * Recently chosen places on this device, newest first. A visitor's places pass to the user who signs in and are never
 * shown to anyone else, because they may include a home address.
 */
export function recentPlaces(): PlacePoint[] {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<Stored> | null
    if (!Array.isArray(stored?.places)) return []
    if (stored.uid === null || stored.uid === currentMe()?.uid) return stored.places
    localStorage.removeItem(storageKey)
    return []
  } catch {
    return []
  }
}

/** Adds a place in front. */
export function rememberPlace(place: PlacePoint): void {
  const others = recentPlaces().filter(({ add }) => add !== place.add)
  const remembered: Stored = { uid: currentMe()?.uid ?? null, places: [place, ...others].slice(0, kept) }
  try {
    localStorage.setItem(storageKey, JSON.stringify(remembered))
  } catch {
    // Storage is unavailable: nothing is remembered.
  }
}
