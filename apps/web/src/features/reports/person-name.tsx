import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'

/** The name of a person whose id stands in a filter. */
export function PersonName({ id }: { id: string }) {
  const { data } = useQuery(orpc.users.get.queryOptions({ input: { id } }))
  return <bdi>{data ? `${data.firstName} ${data.lastName}` : '…'}</bdi>
}
