import { IconSearch } from '@tabler/icons-react'
import { memo, useEffect, useRef, useState } from 'react'
import { CarPicture } from '../../entities/car-types/car-picture.tsx'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { matchesQuery } from '../../lib/matches-query.ts'
import type { FleetCar } from '../../map/fleet-layer.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import classes from './fleet-panel.module.css'

/** Maximum rows rendered; others can be searched. */
const mostRows = 100

interface Props {
  cars: readonly FleetCar[]
  selected: string | null
  onSelect: (id: string) => void
}

/** Drivers online, by name. Selecting one shows them on the map and vice versa. */
export function FleetList({ cars, selected, onSelect }: Props) {
  const { t } = useText()
  const format = useFormat()
  const list = useRef<HTMLUListElement>(null)
  const [typed, setTyped] = useState('')
  const fitting =
    typed.trim() === ''
      ? cars
      : cars.filter(
          ({ id, name, vehicleNumber, carType }) =>
            id === selected || matchesQuery(typed, `${name} ${vehicleNumber ?? ''} ${carType ?? ''}`),
        )
  const first = fitting.slice(0, mostRows)
  const chosen = fitting.find(({ id }) => id === selected)
  const shown = chosen && !first.includes(chosen) ? [chosen, ...first.slice(0, -1)] : first

  useEffect(() => {
    if (selected) list.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])

  return (
    <div className={classes.side}>
      <div className={classes.searchLine}>
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <input
          type="search"
          className={classes.search}
          aria-label={t('dashboard.search_drivers')}
          placeholder={t('dashboard.search_drivers')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {cars.length === 0 ? (
        <p className={classes.none}>{t('dashboard.none_out')}</p>
      ) : shown.length === 0 ? (
        <p className={classes.none}>{t('dashboard.no_driver_fits')}</p>
      ) : (
        <ul ref={list} className={classes.list} aria-label={t('dashboard.drivers_out')}>
          {shown.map(({ id, name, vehicleNumber, carType, carImage, busy }) => (
            <Row
              key={id}
              {...{ id, name, vehicleNumber, carType, carImage, busy, onSelect }}
              isSelected={id === selected}
            />
          ))}
        </ul>
      )}
      {fitting.length > shown.length ? (
        <p className={classes.more}>
          {t('dashboard.more_drivers', {
            shown: format.number(shown.length),
            all: format.number(fitting.length),
          })}
        </p>
      ) : null}
    </div>
  )
}

interface RowProps extends Pick<FleetCar, 'id' | 'name' | 'vehicleNumber' | 'carType' | 'carImage' | 'busy'> {
  isSelected: boolean
  onSelect: Props['onSelect']
}

/** Has no position, so that it is rendered only when the driver changes. */
const Row = memo(function Row(props: RowProps) {
  const { id, name, vehicleNumber, carType, carImage, busy, isSelected, onSelect } = props
  const { t } = useText()
  return (
    <li>
      <button type="button" className={classes.driver} aria-pressed={isSelected} onClick={() => onSelect(id)}>
        <span className={classes.picture} aria-hidden>
          <CarPicture src={carImage} width={32} height={32} />
        </span>
        <span className={classes.words}>
          <span className={classes.name}>
            <bdi>{name}</bdi>
          </span>
          <span className={classes.detail}>
            {vehicleNumber ? <Ltr>{vehicleNumber}</Ltr> : null}
            {carType ? <bdi>{carType}</bdi> : null}
          </span>
        </span>
        <span className={classes.state} data-busy={busy || undefined}>
          {t(busy ? 'map.car_busy' : 'map.car_free')}
        </span>
      </button>
    </li>
  )
})
