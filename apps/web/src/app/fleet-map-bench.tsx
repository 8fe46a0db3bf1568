// The page of the benchmark `fleet-map`: the dashboard's map over a live connection that only exists in the page, or with
// `?as=markers` or `?as=source` the same cars drawn in a simple way. Not part of any product bundle.
import '@fontsource-variable/inter/wght.css'
import './tokens.css'
import { packFleet } from '@hansom/contract/fleet-state'
import type { FleetCar } from '@hansom/contract/live'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { GeoJSONSource } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { FleetPanel } from '../features/dashboard/fleet-panel.tsx'
import { useLive } from '../lib/live.ts'
import { queryClient } from '../lib/query-client.ts'
import CityMap from '../map/city-map.tsx'
import { Layer, Source, useMap, useMarker } from '../map/map-renderer.ts'
import { answerLive, startBenchPage } from './local-socket-bench.ts'

const driverCount = 5_000
/** At most this many moves are sent at once (ADR 0177), every two seconds. */
const movedAtOnce = 2_000
const moveMs = 2_000
const center = { lat: -34.89, lng: -56.16 }
const spread = 0.15
/** About 11 m a second. */
const stepDegrees = 0.0002

const random = () => (Math.random() - 0.5) * spread
const cars = Array.from(
  { length: driverCount },
  (_, index): FleetCar => ({
    lat: center.lat + random(),
    lng: center.lng + random(),
    uid: `driver-${index}`,
    name: `Driver number ${index}`,
    vehicleNumber: `S${index}`,
    carType: 'Economy',
    carImage: null,
    bearing: (index * 37) % 360,
    queue: index % 3 === 0,
    at: Date.now(),
  }),
)

let next = 0
function moves() {
  return Array.from({ length: movedAtOnce }, () => {
    const car = cars[next++ % driverCount] as FleetCar
    const angle = ((car.bearing ?? 0) * Math.PI) / 180
    car.lat += Math.cos(angle) * stepDegrees
    car.lng += Math.sin(angle) * stepDegrees
    return [car.uid, car.lat, car.lng, car.bearing, Date.now()]
  })
}
answerLive({
  fleet: {
    state: () => packFleet(cars),
    everyMs: moveMs,
    change: () => ({ moved: moves() }),
    isVolatile: true,
  },
})
startBenchPage(center)

const half = spread / 2
const mapProps = {
  bounds: [center.lng - half, center.lat - half, center.lng + half, center.lat + half] as [
    number,
    number,
    number,
    number,
  ],
  fit: [],
  fitKey: '',
  onFail: () => undefined,
}

/** One marker of the map library for each car, moved when its position arrives. */
function PlainMarkers() {
  const { data } = useLive('fleet')
  return (
    <div style={{ position: 'relative', height: '100vh' }}>
      <CityMap {...mapProps}>
        {data?.map((car) => (
          <PlainMarker key={car.uid} car={car} />
        ))}
      </CityMap>
    </div>
  )
}

function PlainMarker({ car }: { car: FleetCar }) {
  const { marker, element } = useMarker(car, {})
  useEffect(() => {
    element.style.cssText += 'width:10px;height:10px;border-radius:50%;background:#17653f'
  }, [element])
  useEffect(() => {
    marker.setLngLat([car.lng, car.lat])
  }, [marker, car.lat, car.lng])
  return null
}

/** All cars in one clustered GeoJSON source, which is replaced whenever positions arrive. */
function PlainSource() {
  return (
    <div style={{ position: 'relative', height: '100vh' }}>
      <CityMap {...mapProps}>
        <SourceCars />
      </CityMap>
    </div>
  )
}

function SourceCars() {
  const { data } = useLive('fleet')
  const { current: map } = useMap()
  const [empty] = useState({ type: 'FeatureCollection' as const, features: [] })
  useEffect(() => {
    if (!map || !data) return
    void map.getSource<GeoJSONSource>('cars')?.setData({
      type: 'FeatureCollection',
      features: data.map((car) => ({
        type: 'Feature',
        properties: { busy: car.queue },
        geometry: { type: 'Point', coordinates: [car.lng, car.lat] },
      })),
    })
  }, [map, data])
  return (
    <Source id="cars" type="geojson" data={empty} cluster clusterRadius={60}>
      <Layer id="cars" type="circle" paint={{ 'circle-radius': 8, 'circle-color': '#17653f' }} />
    </Source>
  )
}

const pages = { panel: FleetPanel, markers: PlainMarkers, source: PlainSource }
const name = new URLSearchParams(location.search).get('as') ?? 'panel'
const component = pages[name as keyof typeof pages]
const router = createRouter({ routeTree: createRootRoute({ component }) })
const root = document.querySelector('#root')
if (root)
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
