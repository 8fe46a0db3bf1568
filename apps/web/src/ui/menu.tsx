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
      {/* Inside the landmark of its anchor, as all content of a page. */}
      <BaseMenu.Portal container={anchor.closest<HTMLElement>('main, header, nav') ?? document.body}>
        <BaseMenu.Positioner anchor={anchor} align="start" {...placement} className={classes.positioner}>
          <BaseMenu.Popup
            className={classes.box}
            aria-label={label}
            onKeyDown={(event) => {
              if (event.key !== 'Tab') return
              // Otherwise the focus rests on the library's hidden guard, and the menu stays open.
              event.preventDefault()
              onClose()
            }}
          >
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
