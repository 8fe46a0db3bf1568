import type { DriverState } from '@hansom/contract/tracking'
import { useMutation, useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'

const key = orpc.tracking.state.queryKey()

/** Whether the driver can be asked, why not, and the figures of today; and the switch for going online. */
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
