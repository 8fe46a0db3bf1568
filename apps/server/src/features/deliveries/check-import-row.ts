import type { PlacePoint } from '@hansom/domain/bookings/booking'
import {
  type ImportColumn,
  type ImportedRow,
  type ImportPlan,
  type ImportProblem,
  positionByName,
  rowProblems,
} from '@hansom/domain/deliveries/import'
import { type FieldError, Refusal } from '@hansom/domain/error-keys'
import { fromCityTime } from '@hansom/domain/time/city-time'
import type { BookingsService } from '../bookings/service.ts'
import type { CarTypesService } from '../car-types/service.ts'
import type { PlacesService } from '../places/service.ts'

export interface CheckDeps {
  places: Pick<PlacesService, 'search' | 'place'>
  carTypes: Pick<CarTypesService, 'list'>
  bookings: Pick<BookingsService, 'estimate'>
}

export type CheckedRow =
  | { state: 'good'; plan: ImportPlan; fare: number; problems: [] }
  | { state: 'bad'; plan: null; fare: null; problems: ImportProblem[] }

/** The least time from now to a pickup at a set time, ms: more than Book Later needs. */
const leadMs = 30 * 60_000

/** `2026-11-30 14:00` or `2026-11-30T14:00` in the city, as epoch ms; null for other texts. */
export function windowTime(text: string, zone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2})?$/.test(text)) return null
  const moment = fromCityTime(text.replace(' ', 'T'), zone)
  return Number.isNaN(moment) ? null : moment
}

/**
 * What a row would book, with its fare, or its problems. `found` remembers addresses between the rows of a file. Throws
 * google_places_error.
 */
export async function checkImportRow(
  deps: CheckDeps,
  row: ImportedRow,
  { now, timezone, found }: { now: number; timezone: string; found: Map<string, Promise<PlacePoint | null>> },
): Promise<CheckedRow> {
  const time = (text: string) => windowTime(text, timezone)
  const problems = rowProblems(row, time, now)
  const problem = (column: ImportColumn, error: FieldError['error']) => problems.push({ column, error })
  const carTypes = await deps.carTypes.list()
  const carType =
    carTypes[
      positionByName(
        carTypes.map(({ name }) => name),
        row.vehicle,
      )
    ]
  if (!carType) problem('vehicle', 'not_in_list')
  const position = (column: 'parcel_type' | 'option', list: readonly { description: string }[]) => {
    const index = positionByName(
      list.map(({ description }) => description),
      row[column],
    )
    if (carType && index < 0) problem(column, 'not_in_list')
    return index
  }
  const parcelTypeIndex = position('parcel_type', carType?.parcelTypes ?? [])
  const optionIndex = position('option', carType?.options ?? [])
  const locate = async (column: 'pickup' | 'drop') => {
    const text = row[column]
    if (problems.some((one) => one.column === column)) return null
    const known = found.get(text) ?? findPlace(deps.places, text)
    found.set(text, known)
    const place = await known
    if (!place) problem(column, 'place_to_coords_error')
    return place
  }
  const [pickup, drop] = [await locate('pickup'), await locate('drop')]
  if (problems.length > 0 || !pickup || !drop || !carType) return bad(problems)

  const [from, to] = [time(row.window_from), time(row.window_to)]
  const window = from !== null && to !== null ? { from, to } : null
  const trip = { pickup, drop, car_type_id: carType.id }
  const choices = { parcelTypeIndex, optionIndex }
  try {
    const { estimateFare, route } = await deps.bookings.estimate({ ...trip, delivery: choices })
    // The courier leaves in time to be there when the window opens.
    const leave = window ? Math.floor((window.from - route.durationS * 1000) / 60_000) * 60_000 : 0
    const tripdate = leave > now + leadMs ? leave : null
    return {
      state: 'good',
      plan: { ...trip, ...choices, window, tripdate },
      fare: estimateFare,
      problems: [],
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.key === 'google_places_error') throw error
    return bad([{ column: 'drop', error: error.key }])
  }
}

const bad = (problems: ImportProblem[]): CheckedRow => ({ state: 'bad', plan: null, fare: null, problems })

/** The best match for an address; the written text stays if the map lacks its house number. */
async function findPlace(places: CheckDeps['places'], text: string): Promise<PlacePoint | null> {
  const [best] = await places.search(text, { limit: 1 })
  const place = best && (best.lat === undefined ? await places.place(best.id) : best)
  if (!place || place.lat === undefined || place.lng === undefined) return null
  const { lat, lng, label, detail, missingNumber } = place
  const add = missingNumber === undefined ? [label, detail].filter(Boolean).join(', ') : text
  return { lat, lng, add: add.slice(0, 300) }
}
