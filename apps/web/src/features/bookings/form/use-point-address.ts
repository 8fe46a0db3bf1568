import { ApiError } from '@hansom/client/api-error'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { ErrorKey } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import { useRef, useState } from 'react'
import { api } from '../../../lib/api.ts'
import type { TripEnd } from './draft.ts'

interface Finding {
  onFound: (which: TripEnd, point: PlacePoint) => void
  onError: (error: unknown) => void
}

/** GeolocationPositionError.PERMISSION_DENIED */
const permissionDenied = 1

const ask: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 60_000 }

function devicePosition(): Promise<LatLng> {
  return new Promise((resolve, reject) => {
    const refuse = (key: ErrorKey) => reject(new ApiError(key, 0))
    if (!('geolocation' in navigator)) return refuse('location_fetch_error')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
      ({ code }) => refuse(code === permissionDenied ? 'location_refused' : 'location_fetch_error'),
      ask,
    )
  })
}

/** Whether the browser provides the position without a prompt. */
async function isPositionGranted(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted'
  } catch {
    return false
  }
}

/** Looks up the address of a map point or of the device's position. The latest lookup wins. */
export function usePointAddress({ onFound, onError }: Finding) {
  const [locating, setLocating] = useState<TripEnd | null>(null)
  const lookup = useRef(0)

  const find = async (which: TripEnd, where: () => Promise<LatLng>, report = onError) => {
    lookup.current += 1
    const current = lookup.current
    setLocating(which)
    try {
      const point = await where()
      const { label, detail } = await api.places.address(point)
      if (lookup.current === current)
        onFound(which, { ...point, add: detail ? `${label}, ${detail}` : label })
    } catch (error) {
      if (lookup.current === current) report(error)
    } finally {
      if (lookup.current === current) setLocating(null)
    }
  }

  return {
    /** The field whose address is being looked up. */
    locating,
    findPoint: (point: LatLng, which: TripEnd) => void find(which, async () => point),
    findDevice: (which: TripEnd) => void find(which, devicePosition),
    /** Runs only if no prompt is needed; ignores errors. */
    findGrantedDevice: async (which: TripEnd) => {
      const before = lookup.current
      if ((await isPositionGranted()) && lookup.current === before) void find(which, devicePosition, () => {})
    },
    /** Cancels the lookup for this field. */
    leave: (which: TripEnd) => {
      if (locating !== null && locating !== which) return
      lookup.current += 1
      setLocating(null)
    },
  }
}
