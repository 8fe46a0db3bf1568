import { IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../lib/i18n.ts'
import { Ltr } from '../ui/ltr.tsx'
import classes from './fleet-layer.module.css'
import type { FleetCar } from './fleet-map-props.ts'
import { useAnimatedPosition } from './use-animated-position.ts'
import { useMarker } from './use-marker.ts'

/** Details of the selected car; moves along above it. */
export function FleetCard({ car, onClose }: { car: FleetCar; onClose: () => void }) {
  const { t, language } = useText()
  const { marker, element } = useMarker(car, { anchor: 'bottom', offset: [0, -28] })
  useAnimatedPosition(marker, car, undefined, false)
  useEffect(() => {
    element.style.zIndex = '4'
  }, [element])
  return createPortal(
    <div className={classes.card} dir={language.direction}>
      <div className={classes.words}>
        <strong>
          <bdi>{car.name}</bdi>
        </strong>
        {car.vehicleNumber ? (
          <span className={classes.plate}>
            <Ltr>{car.vehicleNumber}</Ltr>
          </span>
        ) : null}
        <span className={classes.detail}>
          {[car.carType, t(car.busy ? 'map.car_busy' : 'map.car_free')].filter(Boolean).join(' · ')}
        </span>
      </div>
      <button
        type="button"
        className={classes.close}
        aria-label={t('common.close')}
        onClick={(event) => {
          event.stopPropagation()
          onClose()
        }}
      >
        <IconX size={16} aria-hidden />
      </button>
    </div>,
    element,
  )
}
