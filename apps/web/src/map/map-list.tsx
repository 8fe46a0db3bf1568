import { useText } from '../lib/i18n.ts'
import classes from './map.module.css'

/** One thing on the map, in words. */
export interface MapListItem {
  id: string
  label: string
  detail?: string
}

/** What the map shows, as a list: read out beside the map, and in its place where no map can be drawn. */
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
