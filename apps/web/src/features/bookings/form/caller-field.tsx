import type { Caller } from '@hansom/contract/users'
import { callerOf } from '@hansom/domain/users/callers'
import { toE164 } from '@hansom/domain/users/contact'
import { dialPrefix } from '@hansom/domain/users/countries'
import { IconHistory, IconUser, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useCarTypeName } from '../../../entities/car-types/car-type-name.tsx'
import { orpc } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import frame from '../../../ui/combobox.module.css'
import { Combobox, type ComboboxOption } from '../../../ui/combobox.tsx'
import { latinDigits } from '../../../ui/latin-digits.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import classes from './add-booking.module.css'
import { type CallerTrip, openTripOf } from './office-booking.ts'

const debounceMs = 150
const mostFound = 6
const newTripId = 'new-trip'
const newCallerId = 'new-caller'

/** State of the field: what is typed, and who was found. */
export function useCaller() {
  const { country } = useSettings()
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  /** A rider selected by name. */
  const [picked, setPicked] = useState<{ uid: string; name: string } | null>(null)
  /** The caller is not the owner of the account that has the number without having proven it. */
  const [isStranger, setStranger] = useState(false)
  const typed = useDebounced(text.trim(), debounceMs)
  const isNumber = !/\p{L}|@/u.test(text) && toE164(dialPrefix(country), text.trim()) !== null
  const lookup = useQuery({
    ...orpc.users.callers.queryOptions({ input: { mobile: typed } }),
    enabled: isNumber && typed !== '',
    staleTime: 10_000,
  })
  const isSettled = typed === text.trim() && !lookup.isFetching
  const callers = isNumber && isSettled ? (lookup.data ?? []) : []
  const caller = picked ? (callers.find(({ uid }) => uid === picked.uid) ?? null) : callerOf(callers)
  const others = callers.filter((one) => one !== caller)
  const isUnknown = isNumber && isSettled && lookup.isSuccess && caller === null && picked === null
  const isNew = isUnknown && (others.length === 0 || isStranger)
  return {
    text,
    typed,
    isSettled,
    isNew,
    caller,
    /** Other riders with the number. */
    others,
    picked,
    name,
    setName,
    type: (next: string) => {
      setText(latinDigits(next))
      setPicked(null)
      setStranger(false)
    },
    pick: (rider: { uid: string; name: string; mobile: string | null }) => {
      setPicked(rider)
      setText(rider.mobile ?? rider.name)
    },
    pickNew: () => setStranger(true),
    clear: () => {
      setText('')
      setName('')
      setPicked(null)
      setStranger(false)
    },
  }
}
export type CallerState = ReturnType<typeof useCaller>

interface Props {
  state: CallerState
  /** The caller wants one of the last trips again. */
  onRepeat: (trip: CallerTrip, caller: Caller) => void
  /** The caller is known and wants another trip. */
  onNewTrip: () => void
}

/**
 * Finds the rider by phone number or name: Enter repeats a known caller's last trip; a new caller needs a name. An account that
 * has not proven the number is only offered: it may be a stranger's.
 */
export function CallerField({ state, onRepeat, onNewTrip }: Props) {
  const { t } = useText()
  const format = useFormat()
  const carTypeName = useCarTypeName()
  const { text, typed, caller, others, isNew, isSettled } = state
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  // Riders by name, email address or a part of the number, until the number is complete.
  const search = useQuery({
    ...orpc.users.list.queryOptions({
      input: { usertype: 'rider', approved: 'true', q: typed, limit: mostFound },
    }),
    enabled: typed.length > 1 && caller === null && others.length === 0 && !isNew,
    staleTime: 10_000,
  })
  const isSearched = caller === null && others.length === 0 && typed === text.trim() && !isNew
  const found = isSearched ? (search.data?.items ?? []) : []
  const mayBook = caller?.approved !== false
  const unproven = others.map((other) => ({
    id: other.uid,
    label: t('booking.caller_unproven', { name: isolated(other.name) }),
    icon: <IconUser size={18} aria-hidden />,
  }))
  const newCaller = {
    id: newCallerId,
    label: t('booking.caller_is_new'),
    icon: <IconUserPlus size={18} aria-hidden />,
  }
  const tripsOf = (known: Caller): ComboboxOption[] =>
    known.approved
      ? [
          ...known.trips.map((trip) => ({
            id: trip.id,
            label: t('booking.caller_trip', {
              from: isolated(placeName(trip.pickup.add)),
              to: isolated(placeName(trip.drop.add)),
            }),
            detail: [
              known.name,
              format.dateTime(trip.tripdate),
              carTypeName(trip.carType),
              t(`history.pay_${trip.payment_mode}`),
            ]
              .filter(Boolean)
              .join(' · '),
            icon: <IconHistory size={18} aria-hidden />,
          })),
          {
            id: newTripId,
            label: t('booking.caller_new_trip', { name: isolated(known.name) }),
            icon: <IconUser size={18} aria-hidden />,
          },
        ]
      : []
  const options: ComboboxOption[] = caller
    ? [...tripsOf(caller), ...unproven]
    : others.length > 0
      ? isNew
        ? []
        : [...unproven, newCaller]
      : found.map((user) => ({
          id: user.uid,
          label: `${user.firstName} ${user.lastName}`.trim(),
          detail: [user.mobile, user.email].filter(Boolean).join(' · '),
          icon: <IconUser size={18} aria-hidden />,
        }))

  const select = (id: string) => {
    const trip = caller?.trips.find((one) => one.id === id)
    if (caller && trip) return onRepeat(trip, caller)
    if (id === newTripId) return onNewTrip()
    if (id === newCallerId) return state.pickNew()
    const other = others.find(({ uid }) => uid === id)
    if (other) return state.pick({ ...other, mobile: text })
    const user = found.find(({ uid }) => uid === id)
    if (!user) return
    const mobile = user.mobile?.startsWith('+') ? user.mobile : null
    state.pick({ uid: user.uid, name: `${user.firstName} ${user.lastName}`.trim(), mobile })
  }
  return (
    <div className={classes.caller}>
      <div className={`${frame.picker} ${frame.roomy}`}>
        <Combobox
          inputRef={field}
          label={t('booking.rider')}
          name="caller"
          placeholder={t('booking.caller_hint')}
          value={text}
          onInput={state.type}
          options={options}
          onSelect={select}
          busy={text.trim() !== '' && (!isSettled || (caller === null && search.isFetching))}
          entersFirst={caller !== null && mayBook}
          notice={
            found.length === 0 && others.length === 0 && !isNew && search.isSuccess && typed
              ? t('table.no_match')
              : undefined
          }
        />
      </div>
      {isNew ? (
        <TextField
          label={t('booking.caller_name')}
          hint={t(others.length > 0 ? 'booking.caller_new_unproven' : 'booking.caller_new')}
          name="caller-name"
          dir="auto"
          maxLength={160}
          autoComplete="off"
          value={state.name}
          onChange={(event) => state.setName(event.target.value)}
        />
      ) : null}
      {caller ? <CallerCard caller={caller} /> : null}
    </div>
  )
}

/** The street or place of an address: town and region are the same in most of a caller's trips. */
const placeName = (add: string) => add.split(',')[0] ?? add

/** What the office should know before booking for a known caller. */
function CallerCard({ caller }: { caller: Caller }) {
  const { t } = useText()
  const format = useFormat()
  const open = openTripOf(caller)
  return (
    <div className={classes.card}>
      <p className={classes.name}>
        <bdi>{caller.name}</bdi>
        <span className={classes.tag}>{t(tagOf(caller))}</span>
      </p>
      <p className={classes.facts}>
        <Ltr>{caller.mobile}</Ltr>
        {caller.walletBalance > 0 ? (
          <span>{t('booking.caller_balance', { amount: isolated(format.money(caller.walletBalance)) })}</span>
        ) : null}
      </p>
      {caller.approved ? null : <Notice tone="bad">{t('error.rider_not_approved')}</Notice>}
      {caller.outstanding > 0 ? (
        <Notice tone="plain">
          {t('booking.caller_owes', { amount: isolated(format.money(caller.outstanding)) })}
        </Notice>
      ) : null}
      {open ? (
        <Notice tone="plain">
          <Link to="/trip/$id" params={{ id: open.id }}>
            {t('booking.caller_open', { number: isolated(open.booking_id) })}
          </Link>
        </Notice>
      ) : null}
    </div>
  )
}

function tagOf({ guest, proven }: Caller) {
  if (guest) return 'users.is_guest'
  return proven ? 'booking.number_proven' : 'booking.number_unproven'
}
