import type { PublicSettings } from '@hansom/contract/settings'
import type { ErrorEvent, MapLibreMap, StyleSpecification } from 'maplibre-gl'
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useColorScheme } from '../lib/color-scheme.ts'
import { useSettings } from '../lib/settings.ts'
import { citySource, type MapTheme } from './palette.ts'
import { cityStyle, firstPlaceLayer } from './style.ts'

const tileJsonUrl = '/api/v1/tiles.json'
/** How long an outside style may take before our own map replaces it, ms. */
const patienceMs = 6_000
/** An outside map shows nothing if this many tiles failed and none loaded. */
const lostTilesLimit = 4

/** What the map draws below our layers. */
interface BaseMap {
  style: string | StyleSpecification
  /** The theme of the map, also where the page has another one. */
  theme: MapTheme
  /** An outside style brings its own attribution. */
  isOutsideStyle: boolean
  /** The attribution that the operator configured. */
  attribution: string | null
}

/** True once an outside map has failed on this page: later maps then do not wait for it. */
let hasOutsideFailed = false

/**
 * The base map and the handlers of the map's events that detect its failure. An outside map that does not load is replaced
 * by our own (ADR 0062); `onFail` is called if that fails too.
 */
export function useBaseMap(onFail: () => void) {
  const { baseMap } = useSettings()
  const [isBroken, setIsBroken] = useState(hasOutsideFailed)
  const outside = isBroken ? null : baseMap
  const scheme = useColorScheme()
  // By value: every change of the settings brings an equal object, which must not count as a new map.
  const key = JSON.stringify(outside)
  const base = useMemo(() => baseMapOf(outside, scheme), [key, scheme])
  const seen = useRef<SeenOfMap>(nothingSeen)
  const fail = () => {
    if (!outside) return onFail()
    hasOutsideFailed = true
    setIsBroken(true)
  }
  const failNow = useRef(fail)
  failNow.current = fail

  useEffect(() => {
    seen.current = nothingSeen
    if (!base.isOutsideStyle) return
    const timer = setTimeout(() => seen.current.style || failNow.current(), patienceMs)
    return () => clearTimeout(timer)
  }, [base])

  return {
    ...base,
    isOutside: outside !== null,
    onError: (event: MapFailure) => {
      const { isLost, next } = afterError(event, seen.current, outside !== null)
      seen.current = next
      if (isLost) fail()
    },
    onStyleData: () => {
      seen.current = { ...seen.current, style: true }
    },
    onSourceData: (event: { tile?: unknown }) => {
      if (event.tile !== undefined && !seen.current.tile) seen.current = { ...seen.current, tile: true }
    },
  }
}

/** The style to draw for what the operator configured; null: our own map. */
export function baseMapOf(outside: PublicSettings['baseMap'], scheme: MapTheme): BaseMap {
  if (outside?.style) {
    const isDark = scheme === 'dark' && outside.styleDark !== null
    return {
      style: isDark ? (outside.styleDark ?? outside.style) : outside.style,
      theme: isDark ? 'dark' : 'light',
      isOutsideStyle: true,
      attribution: outside.attribution,
    }
  }
  const url = (path: string) => new URL(path, location.href).href
  return {
    style: cityStyle(scheme, outside?.tiles ?? url(tileJsonUrl)),
    theme: scheme,
    isOutsideStyle: false,
    attribution: outside?.attribution ?? null,
  }
}

/** Services with the data of our own map need no second attribution on it. */
const openData = '© OpenStreetMap contributors'

/** The attributions beside the map's own: the one that the operator configured, and those of the outside services. */
export function creditsOf(
  base: Pick<BaseMap, 'attribution'> & { isOutside: boolean },
  services: PublicSettings['mapServices'],
): string[] {
  const credits = services.map(({ attribution }) => attribution)
  const named = base.isOutside ? credits : credits.filter((credit) => credit !== openData)
  return [...new Set(base.attribution ? [base.attribution, ...named] : named)]
}

/** What has loaded since the style was set. */
interface SeenOfMap {
  style: boolean
  tile: boolean
  lostTiles: number
}
const nothingSeen: SeenOfMap = { style: false, tile: false, lostTiles: 0 }

type MapFailure = Pick<ErrorEvent, 'error'> & { sourceId?: string; tile?: unknown }

/**
 * Whether an error of the map library means that the base map is lost: its style or the description of its tiles cannot be
 * loaded or, on an outside map, the first tiles. A single missing tile is not a failure.
 */
export function afterError(
  event: MapFailure,
  seen: SeenOfMap,
  isOutside: boolean,
): { isLost: boolean; next: SeenOfMap } {
  if (event.tile !== undefined) {
    const next = { ...seen, lostTiles: seen.lostTiles + 1 }
    return { isLost: isOutside && !next.tile && next.lostTiles >= lostTilesLimit, next }
  }
  const isLost = isOutside ? event.sourceId !== undefined || !seen.style : event.sourceId === citySource
  return { isLost, next: seen }
}

/** The theme of the map around a layer. */
export const MapThemeContext = createContext<MapTheme>('light')
export const useMapTheme = (): MapTheme => useContext(MapThemeContext)

/**
 * The layer below which routes are drawn: on our map the first names of places, on others the first labels that are not
 * along streets. Undefined if there are none: on top.
 */
export function labelAnchor(
  map: Pick<MapLibreMap, 'getLayer' | 'getLayersOrder' | 'getLayoutProperty'>,
): string | undefined {
  if (map.getLayer(firstPlaceLayer)) return firstPlaceLayer
  return map
    .getLayersOrder()
    .find(
      (id) => map.getLayer(id)?.type === 'symbol' && map.getLayoutProperty(id, 'symbol-placement') !== 'line',
    )
}
