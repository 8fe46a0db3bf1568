import type { LatLng } from '@hansom/domain/geo/point'
import { useText } from '../lib/i18n.ts'
import { Button } from '../ui/button.tsx'
import classes from './map.module.css'
import { useMap } from './map-renderer.ts'
import { type PinKind, PinShape } from './pin-layer.tsx'

/** "Set on map": the map moves under a fixed pin by dragging or arrow keys; the button confirms the point. */
export function PickPoint({ kind, onPick }: { kind: PinKind; onPick: (point: LatLng) => void }) {
  const { t, language } = useText()
  const { current: map } = useMap()
  const take = () => {
    if (!map) return
    const { lat, lng } = map.getCenter()
    onPick({ lat, lng })
  }
  return (
    <>
      <span className={classes.crosshair} data-kind={kind} aria-hidden="true">
        <PinShape kind={kind} />
      </span>
      <div className={classes.pickBar} dir={language.direction}>
        <p id="map-pick-hint">{t('map.pick_hint')}</p>
        <Button variant="primary" wide onClick={take} aria-describedby="map-pick-hint">
          {t(`map.pick_${kind}`)}
        </Button>
      </div>
    </>
  )
}
