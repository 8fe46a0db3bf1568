import { useText } from '../lib/i18n.ts'
import classes from './map.module.css'

/** A map object as text. */
export interface MapListItem {
  id: string
  label: string
  detail?: string
}

/** The content of the map as a list: for screen readers next to the map, or shown instead of it. */
export function MapList({ items, hidden }: { items: MapListItem[]; hidden: boolean }) {
  const { t } = useText()
  if (items.length === 0) return null
  return (
    <ul className={hidden ? classes.readOut : classes.list} aria-label={t('map.list')}>
      {items.map((item) => (
        <li key={item.id}>
          <strong>{item.label}</strong>
          {item.detail ? <span>{item.detail}</span> : null}
        </li>
      ))}
    </ul>
  )
}
