import type { DeviceView } from '@hansom/contract/devices'
import type { NotificationKind } from '@hansom/domain/notifications/kinds'
import { useMutation, useQuery } from '@tanstack/react-query'
import { disablePush, enablePush, usePushState } from '../../../entities/devices/push.ts'
import { orpc } from '../../../lib/api.ts'
import { useServerNow } from '../../../lib/clock.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import classes from './profile-screen.module.css'
import { ErrorNotice, Section } from './section.tsx'

const preferences = orpc.devices.preferences.queryOptions()
const devices = orpc.devices.list.queryOptions()
const reloadDevices = () => queryClient.invalidateQueries({ queryKey: devices.queryKey })

/** Notifications on this device and others, and the kinds that are sent to them; each change is saved at once. */
export function PushSection() {
  const { t } = useText()
  const state = usePushState()
  const list = useQuery(devices)
  const turn = useMutation({
    mutationFn: async (on: boolean) => void (await (on ? enablePush() : disablePush())),
    onSettled: reloadDevices,
  })
  const isPossible = state === 'on' || state === 'off'
  return (
    <Section title={t('push.section')} intro={t('push.section_intro')} anchor="notifications">
      <SwitchField
        label={t('push.this_device')}
        hint={isPossible ? null : t(`push.state_${state}`)}
        checked={state === 'on'}
        disabled={!isPossible || turn.isPending}
        onChange={(on) => turn.mutate(on)}
      />
      <ErrorNotice error={turn.error} />
      <Kinds />
      {list.data && list.data.length > 0 ? <Devices list={list.data} /> : null}
    </Section>
  )
}

function Kinds() {
  const { t } = useText()
  const query = useQuery(preferences)
  const save = useMutation({
    // One at a time, because each request replaces all kinds.
    ...orpc.devices.setPreferences.mutationOptions({ scope: { id: 'devices.setPreferences' } }),
    onSuccess: (stored) => queryClient.setQueryData(preferences.queryKey, stored),
    // Shows what is stored.
    onError: () => queryClient.invalidateQueries({ queryKey: preferences.queryKey }),
  })
  if (query.isPending) return <LoadingState rows={3} height="44px" />
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const change = (kind: NotificationKind, wanted: boolean) => {
    const kinds = (queryClient.getQueryData(preferences.queryKey)?.kinds ?? []).map((one) =>
      one.kind === kind ? { ...one, muted: !wanted } : one,
    )
    queryClient.setQueryData(preferences.queryKey, { kinds })
    save.mutate({ muted: kinds.filter(({ muted }) => muted).map((one) => one.kind) })
  }
  return (
    <fieldset aria-label={t('push.kinds')}>
      {query.data.kinds.map(({ kind, muted, fixed }) => (
        <SwitchField
          key={kind}
          label={t(`notification.filter_${kind}`)}
          hint={fixed ? t('push.always_sent') : null}
          name={kind}
          checked={!muted}
          disabled={fixed}
          onChange={(wanted) => change(kind, wanted)}
        />
      ))}
      <ErrorNotice error={save.error} />
    </fieldset>
  )
}

function Devices({ list }: { list: readonly DeviceView[] }) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow(60_000)
  const remove = useMutation({ ...orpc.devices.remove.mutationOptions(), onSettled: reloadDevices })
  const test = useMutation({
    ...orpc.devices.test.mutationOptions(),
    onSuccess: ({ devices: count }) => announce(t('push.test_sent', { count })),
  })
  return (
    <>
      <ul className={classes.list} aria-label={t('push.devices')}>
        {list.map((device) => (
          <li key={device.id} className={classes.item}>
            <span className={classes.grow}>
              <span className={classes.device}>{t(`push.platform_${device.platform ?? 'computer'}`)}</span>
              <span className={classes.quiet}>
                {device.current
                  ? t('push.current')
                  : t('push.seen', { when: format.ago(device.seenAt, now) })}
              </span>
            </span>
            <Button
              variant="quiet"
              size="small"
              busy={remove.isPending && remove.variables.id === device.id}
              onClick={() => remove.mutate({ id: device.id })}
            >
              {t('push.remove')}
            </Button>
          </li>
        ))}
      </ul>
      <ErrorNotice error={remove.error ?? test.error} />
      <Button size="small" busy={test.isPending} onClick={() => test.mutate({})}>
        {t('push.test')}
      </Button>
    </>
  )
}
