import type { UserNotification } from '@hansom/contract/users'
import { endsWhenSeen } from '@hansom/domain/notifications/endings'
import { pageOfNotification, pathOfPage } from '@hansom/domain/notifications/page'
import type { Role } from '@hansom/domain/users/roles'
import { api, orpc } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'

/**
 * Marks the unread notifications as read that lead to the page at `path`, which is in front of the user, and say nothing more
 * than it shows. `items` are the newest ones. Throws an ApiError.
 */
export async function readSeen(
  { items, unread }: { items: readonly UserNotification[]; unread: number },
  role: Role,
  path: string,
): Promise<void> {
  const newest = items.filter(({ read }) => !read)
  const isAll = newest.length >= unread
  const known = isAll ? newest : (await api.users.notifications({ unread: 'true' })).items
  const pageOf = (one: UserNotification) => pathOfPage(pageOfNotification(one, role)).split('?')[0]
  const seen = known.filter((one) => endsWhenSeen(one) && pageOf(one) === path)
  if (seen.length === 0) return
  await api.users.readNotifications({ ids: seen.map(({ id }) => id) })
  await queryClient.invalidateQueries({ queryKey: orpc.users.notifications.key() })
}
