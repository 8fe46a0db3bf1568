import type { ReactNode } from 'react'
import classes from './map-with-sheet.module.css'

/** A map with what to do beside it: a side panel on a desk, a bottom sheet over the map's lower edge on a phone. */
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
