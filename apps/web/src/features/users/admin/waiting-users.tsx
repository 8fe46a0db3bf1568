import { tableOfRole } from '@hansom/domain/audit/record-kinds'
import type { Role } from '@hansom/domain/users/roles'
import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { useLive } from '../../../lib/live.ts'
import { useSearchParams } from '../../../lib/search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import classes from './users.module.css'

/** The number of users who wait for approval, as a link to them; updates live. */
export function WaitingUsers({ usertype }: { usertype: Role }) {
  const { t } = useText()
  const [{ approval }, change] = useSearchParams()
  const { data, refetch } = useQuery(
    orpc.users.count.queryOptions({ input: { usertype, approval: 'waiting' } }),
  )
  useLive('office', null, {
    onEvent: ({ tables }) => {
      if (tables.includes(tableOfRole[usertype])) void refetch()
    },
  })
  if (!data || data.count === 0 || approval) return null
  return (
    <Notice tone="attention">
      <div className={classes.collisionNotice}>
        <span>{t('users.waiting', { count: data.count })}</span>
        <Button size="small" onClick={() => change(() => ({ approval: 'waiting' }), { push: true })}>
          {t('users.collisions_open')}
        </Button>
      </div>
    </Notice>
  )
}
