import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { LatLng } from '@hansom/domain/geo/point'
import { IconX } from '@tabler/icons-react'
import { type Ref, useEffect, useState } from 'react'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Combobox } from '../../../ui/combobox.tsx'
import { errorText } from '../../../ui/error-message.tsx'
import type { TripEnd } from './draft.ts'
import { hereId, onMapId, rememberPlace, usePlaceOptions } from './use-place-options.tsx'

interface Props {
  which: TripEnd
  point: PlacePoint | null
  /** Places near it rank first. */
  near: LatLng
  /** For the office: the caller's places, suggested instead of the user's own. */
  callerPlaces?: readonly PlacePoint[] | undefined
  onChange: (point: PlacePoint | null) => void
  /** Called on typing: the previous choice or pending lookup is discarded. */
  onType: () => void
  /** Called when an option was selected. */
  onChosen: () => void
  /** Without it, the current location is not offered. */
  onHere?: () => void
  /** Without it, choosing on the map is not offered. */
  onSetOnMap?: () => void
  /** The address of a point is being looked up. */
  locating: boolean
  inputRef?: Ref<HTMLInputElement> | undefined
}

/** Pickup or drop: search, current location, saved and recent places, or a point on the map. */
export function PlaceField(props: Props) {
  const {
    which,
    point,
    near,
    callerPlaces,
    onChange,
    onType,
    onChosen,
    onHere,
    onSetOnMap,
    locating,
    inputRef,
  } = props
  const { t } = useText()
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const text = typed ?? point?.add ?? ''
  // A selected place is not a search: on focus the default suggestions are shown.
  const {
    options: all,
    busy,
    error,
    nothing,
    isOffline,
  } = usePlaceOptions(typed ?? '', near, open, callerPlaces)
  const options = all.filter(({ id }) => (id === hereId ? onHere : id === onMapId ? onSetOnMap : true))

  // A place chosen elsewhere, such as on the map, replaces the typed text.
  useEffect(() => {
    if (point) setTyped(null)
  }, [point])

  const select = (id: string) => {
    setTyped(null)
    if (id === onMapId) return onSetOnMap?.()
    const chosen = options.find((option) => option.id === id)?.point
    if (id === hereId) onHere?.()
    else if (!chosen) return
    else {
      // A caller's places are not the office's own.
      if (!callerPlaces) rememberPlace(chosen)
      onChange(chosen)
    }
    onChosen()
  }

  const notice = isOffline
    ? t('booking.search_offline')
    : error
      ? errorText(error, t)
      : nothing
        ? t('booking.no_place')
        : null

  return (
    <Combobox
      inputRef={inputRef}
      label={t(`booking.${which}`)}
      name={which}
      placeholder={t(`booking.${which}_placeholder`)}
      value={text}
      options={options}
      busy={busy || locating}
      notice={notice}
      problem={typed?.trim() && !point && !locating ? t('booking.choose_place') : null}
      entersFirst={Boolean(typed?.trim())}
      onInput={(next) => {
        setTyped(next)
        onType()
      }}
      onSelect={select}
      onOpenChange={setOpen}
      trailing={
        text ? (
          <Button
            variant="quiet"
            size="icon"
            aria-label={t(`booking.clear_${which}`)}
            onClick={() => {
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
