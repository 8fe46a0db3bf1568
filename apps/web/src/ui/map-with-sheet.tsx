import type { ReactNode } from 'react'
import classes from './map-with-sheet.module.css'

/** A map with a panel: at the side on a desktop, a bottom sheet over the lower edge of the map on a phone. */
export function MapWithSheet({
  map,
  children,
  label,
}: {
  map: ReactNode
  children: ReactNode
  label: string
}) {
  return (
    <div className={classes.layout}>
      <section className={classes.panel} aria-label={label}>
        {children}
      </section>
      <div className={classes.map}>{map}</div>
    </div>
  )
}
