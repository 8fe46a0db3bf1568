import { setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import 'maplibre-gl/dist/maplibre-gl.css'

// Without this, a production build looks for the worker next to the bundle and draws nothing, without an error.
setWorkerUrl(workerUrl)

export { Layer, Map as MapLibreMap, Source, useMap } from '@vis.gl/react-maplibre'
export { Marker as MapMarker } from 'maplibre-gl'
