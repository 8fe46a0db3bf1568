import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { Translate } from '../../lib/i18n.ts'
import type { RowAction } from '../../ui/table/table-types.ts'

interface Calls {
  t: Translate
  count: number
  moveBy: (reason: AdminCancelReason, by: number) => void
  onPlace: (reason: AdminCancelReason) => void
}

/** What the menu of a reason has besides renaming and removing it. */
export function reasonActions(
  reason: AdminCancelReason,
  { t, count, moveBy, onPlace }: Calls,
): RowAction<AdminCancelReason>[] {
  const up = {
    id: 'up',
    label: t('cancelReasons.up'),
    icon: <IconArrowUp size={18} aria-hidden />,
    onSelect: () => moveBy(reason, -1),
  }
  const down = {
    id: 'down',
    label: t('cancelReasons.down'),
    icon: <IconArrowDown size={18} aria-hidden />,
    onSelect: () => moveBy(reason, 1),
  }
  const place = {
    id: 'place',
    label: t('cancelReasons.move_title'),
    icon: <IconArrowsSort size={18} aria-hidden />,
    onSelect: () => onPlace(reason),
  }
  return [...(reason.value > 0 ? [up] : []), ...(reason.value < count - 1 ? [down] : []), place]
}
