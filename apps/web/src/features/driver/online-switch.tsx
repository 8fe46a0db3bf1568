import type { DriverState } from '@hansom/contract/tracking'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { canReceive, type DriverBlock } from '@hansom/domain/users/driver-blocks'
import { IconVolume } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Money } from '../../ui/money.tsx'
import { callAttention, useSoundAllowed } from './alert.ts'
import classes from './driver.module.css'
import own from './online-switch.module.css'
import type { Locating } from './watch-geolocation.ts'

interface Props {
  state: DriverState
  locating: Locating
  /** True if the server is reachable; otherwise no request arrives. */
  connected: boolean
  busy: boolean
  error: unknown
  onChange: (online: boolean) => void
}

/** The online switch, with the reason if no request can arrive. */
export function OnlineSwitch({ state, locating, connected, busy, error, onChange }: Props) {
  const { t } = useText()
  const online = isOnline(state)
  const soundAllowed = useSoundAllowed()
  const blocks = currentBlocks(state, locating)
  // The switch and the map say the others.
  const debt = online ? blocks.filter((block) => block === 'debt') : []
  const reasons = [...blocks.filter(isOfAccount), ...debt]
  const isReady = online && connected
  return (
    <section className={own.online} aria-label={t('driver.online_label')}>
      <button
        type="button"
        role="switch"
        aria-checked={online}
        aria-busy={busy || undefined}
        disabled={!state.approved}
        className={own.switch}
        data-ready={isReady || undefined}
        onClick={() => (busy ? undefined : onChange(!online))}
      >
        <span className={own.switchText}>
          <strong>{t(titleFor(online, connected))}</strong>
          <span>{t(connected ? hintFor(blocks, locating) : 'driver.unconnected_hint')}</span>
        </span>
        <span className={own.track} aria-hidden>
          <span className={own.thumb} />
        </span>
      </button>
      {isReady && !soundAllowed ? (
        <Button variant="secondary" wide onClick={() => callAttention('request')}>
          <IconVolume size={20} aria-hidden />
          {t('driver.sound_on')}
        </Button>
      ) : null}
      {reasons.map((reason) => (
        <p key={reason} className={classes.warning}>
          {t(`driver.blocked_${reason}`)}
        </p>
      ))}
      {error ? (
        <p className={classes.warning} role="alert">
          <ErrorMessage error={error} />
        </p>
      ) : null}
    </section>
  )
}

/** Message below the map that the device's position is missing. It takes space from the map, so that no button moves. */
export function PositionWarning({ locating }: { locating: Locating }) {
  const { t } = useText()
  if (locating !== 'refused' && locating !== 'lost') return null
  return <output className={classes.mapWarning}>{t(`driver.location_${locating}`)}</output>
}

function titleFor(online: boolean, connected: boolean): TextKey {
  if (!online) return 'driver.offline'
  return connected ? 'driver.online' : 'driver.unconnected'
}

/** A new driver is switched on, but goes online only once approved. */
export function isOnline({ driverActiveStatus, approved }: DriverState): boolean {
  return driverActiveStatus && approved
}

/** Why no request can reach the driver. The device knows its switch and its position before the server's next state. */
export function currentBlocks(state: DriverState, locating: Locating): DriverBlock[] {
  const known = state.blocked.filter((block) => block !== 'offline' && block !== 'no_location')
  if (!isOnline(state)) return ['offline', ...known]
  return locating === 'live' ? known : ['no_location', ...known]
}

/** Reasons that last until an admin changes the account. */
function isOfAccount(block: DriverBlock): block is 'not_approved' | 'no_car_type' {
  return block === 'not_approved' || block === 'no_car_type'
}

/** The current meaning of the switch. */
function hintFor(blocks: readonly DriverBlock[], locating: Locating): TextKey {
  if (canReceive(blocks)) return 'driver.online_hint'
  if (blocks.some(isOfAccount)) return 'driver.blocked_hint'
  if (blocks.includes('offline')) return 'driver.offline_hint'
  if (blocks.includes('busy')) return 'driver.blocked_busy'
  return locating === 'asking' ? 'driver.blocked_no_location' : 'driver.blocked_hint'
}

/** Today's trips, earnings and cash owed to the platform. */
export function TodayCard({ today }: { today: DriverState['today'] }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <dl className={own.today} aria-label={t('driver.today')}>
      <div>
        <dt>{t('driver.today_trips')}</dt>
        <dd>
          <bdi>{format.number(today.trips)}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('driver.today_earnings')}</dt>
        <dd>
          <Money amount={today.earnings} />
        </dd>
      </div>
      <div>
        <dt>{t('driver.today_owed')}</dt>
        <dd>
          <Money amount={today.cash_owed} />
        </dd>
      </div>
    </dl>
  )
}

const key = orpc.tracking.state.queryKey()

/** The driver's availability, the reason if unavailable and today's figures; and a function to go online. */
export function useDriverState() {
  const state = useQuery({ ...orpc.tracking.state.queryOptions(), refetchInterval: 30_000 })
  const switching = useMutation({
    ...orpc.tracking.online.mutationOptions(),
    onMutate: ({ online: wanted }) => {
      const before = queryClient.getQueryData(key)
      if (before) queryClient.setQueryData(key, { ...before, driverActiveStatus: wanted })
      return { before }
    },
    onSuccess: (answer: DriverState) => queryClient.setQueryData(key, answer),
    onError: (_error, _input, context) => {
      if (context?.before) queryClient.setQueryData(key, context.before)
    },
  })
  return { state, switching, refresh: () => queryClient.invalidateQueries({ queryKey: key }) }
}
