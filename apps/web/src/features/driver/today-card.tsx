import type { DriverState } from '@hansom/contract/tracking'
import { useMutation, useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Money } from '../../ui/money.tsx'
import classes from './driver.module.css'

/** Today's trips, earnings and cash owed to the platform. */
export function TodayCard({ today }: { today: DriverState['today'] }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <dl className={classes.today} aria-label={t('driver.today')}>
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
  const online = useMutation({
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
  return { state, online, refresh: () => queryClient.invalidateQueries({ queryKey: key }) }
}
