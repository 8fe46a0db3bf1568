import { setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import 'maplibre-gl/dist/maplibre-gl.css'

// A production build would otherwise look for the worker beside the bundle and draw nothing, without an error.
setWorkerUrl(workerUrl)

export { Layer, Map as MapLibreMap, Source, useMap } from '@vis.gl/react-maplibre'
export { Marker as MapMarker } from 'maplibre-gl'
