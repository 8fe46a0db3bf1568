import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import classes from './popover.module.css'
import { isOn, placement } from './popover.tsx'

export interface MenuItem {
  id: string
  label: ReactNode
  icon?: ReactNode
  danger?: boolean
  onSelect: () => void
}

interface Props {
  anchor: HTMLElement
  label: string
  items: readonly MenuItem[]
  onClose: () => void
}

/** A menu of actions (the ARIA menu pattern). Without items, nothing opens. */
export function Menu({ anchor, label, items, onClose }: Props) {
  if (items.length === 0) return null
  return (
    <BaseMenu.Root
      open
      modal={false}
      onOpenChange={(_, { reason, event, cancel }) => {
        cancel()
        if (reason !== 'outside-press' || !isOn(anchor, event)) onClose()
      }}
    >
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={anchor} align="start" {...placement} className={classes.positioner}>
          <BaseMenu.Popup className={classes.box} aria-label={label}>
            {items.map(({ id, label: text, icon, danger, onSelect }) => (
              <BaseMenu.Item
                key={id}
                className={`${classes.item} ${danger ? classes.danger : ''}`}
                onClick={onSelect}
              >
                {icon}
                {text}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}
