import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { LatLng } from '@hansom/domain/geo/point'
import { IconX } from '@tabler/icons-react'
import { type Ref, useEffect, useReducer, useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { errorText } from '../../ui/error-message.tsx'
import { hereId, onMapId, type PlaceOption, rememberPlace, usePlaceOptions } from './use-place-options.tsx'

interface Props {
  which: 'pickup' | 'drop'
  /** Of a further stop, which has a button to remove it instead of clearing it. */
  label?: string
  placeholder?: string
  point: PlacePoint | null
  /** Places near it rank first. */
  near: LatLng
  /** For the office: the caller's places, suggested instead of the user's own. */
  callerPlaces?: readonly PlacePoint[] | undefined
  onChange: (point: PlacePoint | null) => void
  /** Called on typing: the previous choice or pending lookup is discarded. */
  onType: (text: string) => void
  /** Called when an option was selected. */
  onChosen: () => void
  /** Without it, the current location is not offered. */
  onHere?: () => void
  /** Without it, choosing on the map is not offered. */
  onSetOnMap?: () => void
  /** Shown below the closed field. */
  error?: string | undefined
  /** The address of a point is being looked up. */
  locating: boolean
  inputRef?: Ref<HTMLInputElement> | undefined
}

/** Pickup or drop: search, current location, saved and recent places, or a point on the map. */
export function PlaceField(props: Props) {
  const {
    which,
    label,
    placeholder,
    point,
    near,
    callerPlaces,
    onChange,
    onType,
    onChosen,
    onHere,
    onSetOnMap,
    error,
    locating,
    inputRef,
  } = props
  const { t } = useText()
  const { mapServices } = useSettings()
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [session, renewSession] = useReducer(newIdempotencyKey, undefined, newIdempotencyKey)
  const position = usePosition()
  const text = typed ?? point?.add ?? ''
  // A selected place is not a search: on focus the default suggestions are shown.
  const {
    options: all,
    attribution,
    busy,
    error: searchError,
    nothing,
    isOffline,
  } = usePlaceOptions(typed ?? '', near, open, session, callerPlaces)
  const options = all.filter(({ id }) => (id === hereId ? onHere : id === onMapId ? onSetOnMap : true))

  // A place chosen elsewhere, such as on the map, replaces the typed text.
  useEffect(() => {
    if (point) setTyped(null)
  }, [point])

  const select = (id: string) => {
    if (id === onMapId || id === hereId) {
      setTyped(null)
      if (id === onMapId) return onSetOnMap?.()
      onHere?.()
      return onChosen()
    }
    const option = options.find((one) => one.id === id)
    if (!option) return
    const { point: known, found } = option
    const take = (chosen: PlacePoint) => {
      setTyped(null)
      // A caller's places are not the office's own, and not every service's terms allow to remember its results.
      const { source } = found ?? {}
      const service = mapServices.find((one) => one.service === source)
      if (!callerPlaces && (!source || service?.mayRemember)) rememberPlace(chosen)
      onChange(chosen)
      onChosen()
    }
    if (known) {
      renewSession()
      return take(known)
    }
    if (!found) return
    setTyped(found.add)
    position.load(found, session, take)
    // Its request ends the session, also if no position arrives.
    renewSession()
  }

  const notice = isOffline
    ? t('booking.search_offline')
    : searchError
      ? errorText(searchError, t)
      : nothing
        ? t('booking.no_place')
        : null
  const isUnclear = Boolean(typed?.trim()) && !point && !locating && !position.isLoading

  return (
    <Combobox
      inputRef={inputRef}
      label={label ?? t(`booking.${which}`)}
      name={which}
      placeholder={placeholder ?? t(`booking.${which}_placeholder`)}
      value={text}
      options={options}
      busy={busy || locating || position.isLoading}
      notice={notice}
      footer={attribution}
      problem={
        isUnclear
          ? position.error
            ? errorText(position.error, t)
            : t('booking.choose_place')
          : (error ?? null)
      }
      entersFirst={Boolean(typed?.trim())}
      onInput={(next) => {
        position.forget()
        setTyped(next)
        onType(next)
      }}
      onSelect={select}
      onOpenChange={setOpen}
      trailing={
        text && !label ? (
          <Button
            variant="quiet"
            size="icon"
            aria-label={t(`booking.clear_${which}`)}
            onClick={() => {
              position.forget()
              renewSession()
              setTyped(null)
              onChange(null)
            }}
          >
            <IconX size={18} aria-hidden />
          </Button>
        ) : null
      }
    />
  )
}

/** Loads the position of a search result that came without one. Typing and a later choice cancel it. */
function usePosition() {
  const [isLoading, setLoading] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const load = useRef(0)
  const begin = (loading: boolean) => {
    load.current += 1
    setLoading(loading)
    setError(null)
    return load.current
  }
  return {
    isLoading,
    error,
    forget: () => void begin(false),
    load: (
      { id, add }: NonNullable<PlaceOption['found']>,
      session: string,
      onLoaded: (point: PlacePoint) => void,
    ) => {
      const current = begin(true)
      api.places.place({ id, session }).then(
        ({ lat, lng }) => {
          if (load.current !== current) return
          begin(false)
          onLoaded({ lat, lng, add })
        },
        (reason: unknown) => {
          if (load.current !== current) return
          begin(false)
          setError(reason)
        },
      )
    },
  }
}
