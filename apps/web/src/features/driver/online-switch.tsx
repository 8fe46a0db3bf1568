import type { DriverState } from '@hansom/contract/tracking'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { canReceive, type DriverBlock, isOfAccount, isOnline } from '@hansom/domain/users/driver-blocks'
import { IconVolume } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { callAttention, useSoundAllowed } from '../../lib/alert.ts'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Money } from '../../ui/money.tsx'
import classes from './driver.module.css'
import own from './online-switch.module.css'
import type { Locating } from './watch-geolocation.ts'

interface Props {
  state: DriverState
  /** Why no request can reach the driver now. */
  blocks: readonly DriverBlock[]
  locating: Locating
  /** True if the server is reachable; otherwise no request arrives. */
  connected: boolean
  busy: boolean
  error: unknown
  onChange: (online: boolean) => void
}

/** The online switch, with the reason if no request can arrive. */
export function OnlineSwitch({ state, blocks, locating, connected, busy, error, onChange }: Props) {
  const { t } = useText()
  const online = isOnline(state)
  const soundAllowed = useSoundAllowed()
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

/** The current meaning of the switch. */
function hintFor(blocks: readonly DriverBlock[], locating: Locating): TextKey {
  if (canReceive(blocks)) return 'driver.online_hint'
  if (blocks.some(isOfAccount)) return 'driver.blocked_hint'
  if (blocks.includes('offline')) return 'driver.offline_hint'
  if (blocks.includes('busy')) return 'driver.blocked_busy'
  // The map says why the device has no position.
  return locating === 'refused' || locating === 'lost' ? 'driver.blocked_hint' : 'driver.blocked_no_location'
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
const refreshMs = 30_000
/** While the server has no position of an online driver, ms: it usually arrives within seconds. */
const unlocatedRefreshMs = 5_000

/** The driver's availability, the reason if unavailable and today's figures; and a function to go online. */
export function useDriverState() {
  const state = useQuery({
    ...orpc.tracking.state.queryOptions(),
    refetchInterval: ({ state: { data } }) =>
      data && isOnline(data) && data.blocked.includes('no_location') ? unlocatedRefreshMs : refreshMs,
  })
  const switching = useMutation({
    ...orpc.tracking.online.mutationOptions(),
    onMutate: ({ online: wanted }) => {
      const before = queryClient.getQueryData(key)
      // Only the switch is new: the rest was fetched before.
      const fetched = { updatedAt: state.dataUpdatedAt }
      if (before) queryClient.setQueryData(key, { ...before, driverActiveStatus: wanted }, fetched)
      return { before, fetched }
    },
    onSuccess: (answer: DriverState) => queryClient.setQueryData(key, answer),
    onError: (_error, _input, context) => {
      if (context?.before) queryClient.setQueryData(key, context.before, context.fetched)
    },
  })
  return { state, switching, refresh: () => queryClient.invalidateQueries({ queryKey: key }) }
}
