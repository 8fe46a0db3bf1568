import { lazy } from 'react'
import { useText } from '../lib/i18n.ts'
import type { FleetMapProps } from './fleet-map-props.ts'
import { MapFrame } from './map-frame.tsx'

const FleetMapLayers = lazy(() => import('./fleet-map-layers.tsx'))

/** All cars on duty, live. An accessible list of them is next to the map. */
export function FleetMap(props: FleetMapProps) {
  const { t } = useText()
  return (
    <MapFrame
      label={t('map.fleet')}
      items={[]}
      render={(onFail) => <FleetMapLayers {...props} onFail={onFail} />}
    />
  )
}
