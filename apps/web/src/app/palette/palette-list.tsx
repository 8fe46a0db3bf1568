import { useEffect, useRef } from 'react'
import { useText } from '../../lib/i18n.ts'
import classes from './palette.module.css'
import type { PaletteGroup, PaletteItem } from './palette-item.ts'

interface Props {
  /** Prefix of the ids of the list and its options, which the field references. */
  id: string
  groups: readonly PaletteGroup[]
  /** The id of the item that Enter chooses. */
  marked: string | null
  busy: boolean
  onTake: (item: PaletteItem) => void
}

/** The results in groups. The field above keeps the focus and handles the keys. */
export function PaletteList({ id, groups, marked, busy, onTake }: Props) {
  const { t } = useText()
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [marked])

  return (
    // Only keeps the focus where it is
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      tabIndex={-1}
      aria-label={t('palette.title')}
      aria-busy={busy}
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map(({ id: group, items }) => (
        <div key={group} role="group" aria-labelledby={`${id}-group-${group}`} className={classes.group}>
          <div id={`${id}-group-${group}`} className={classes.heading} role="presentation">
            {t(`palette.group_${group}`)}
          </div>
          {items.map((item) => {
            const { label, detail, note, icon: Icon } = item
            return (
              // The field handles the keys
              <div
                key={item.id}
                id={`${id}-${item.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={item.id === marked}
                className={classes.option}
                onClick={() => onTake(item)}
              >
                <Icon size={20} stroke={1.6} aria-hidden />
                <span className={classes.words}>
                  <span className={classes.name}>
                    <bdi>{label}</bdi>
                  </span>
                  {detail ? (
                    <span className={classes.detail}>
                      <bdi>{detail}</bdi>
                    </span>
                  ) : null}
                </span>
                {note ? <bdi className={classes.note}>{note}</bdi> : null}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}
