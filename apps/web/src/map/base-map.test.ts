import { mapServiceFacts } from '@hansom/domain/geo/map-services'
import { describe, expect, it } from 'vitest'
import { afterError, baseMapOf, creditsOf, labelAnchor } from './base-map.ts'

const style = 'https://maps.example/day.json'
const styleDark = 'https://maps.example/night.json'
const outside = { style, styleDark: null, tiles: null, attribution: null }

describe('base map', () => {
  it('outside style without a dark one -> the map stays light on a dark page', () => {
    expect(baseMapOf(outside, 'dark')).toMatchObject({ style, theme: 'light', isOutsideStyle: true })
  })

  it('outside style with a dark one -> follows the page', () => {
    const both = { ...outside, styleDark }
    expect(baseMapOf(both, 'dark')).toMatchObject({ style: styleDark, theme: 'dark' })
    expect(baseMapOf(both, 'light')).toMatchObject({ style, theme: 'light' })
  })

  it('outside tiles -> our style over them, as a TileJSON or a template', () => {
    const sourceOf = (tiles: string) =>
      baseMapOf({ ...outside, style: null, tiles, attribution: '© Example' }, 'dark')
    expect(sourceOf('https://tiles.example/tiles.json')).toMatchObject({
      style: { sources: { city: { url: 'https://tiles.example/tiles.json' } } },
      theme: 'dark',
      isOutsideStyle: false,
      attribution: '© Example',
    })
    const template = 'https://tiles.example/{z}/{x}/{y}.mvt'
    expect(sourceOf(template)).toMatchObject({
      style: { sources: { city: { tiles: [template], maxzoom: 16 } } },
    })
  })
})

it('attribution of services with OpenStreetMap data -> on an outside map; our own map has it already', () => {
  const osrm = { service: 'osrm', ...mapServiceFacts.osrm } as const
  const google = { service: 'google', ...mapServiceFacts.google } as const
  const credits = (isOutside: boolean, attribution: string | null) =>
    creditsOf({ isOutside, attribution }, [osrm, google, osrm])
  expect(credits(false, null)).toEqual([google.attribution])
  expect(credits(true, null)).toEqual([osrm.attribution, google.attribution])
  expect(credits(true, '© Example')).toEqual(['© Example', osrm.attribution, google.attribution])
})

describe('errors of the base map', () => {
  const error = new Error('404')
  const seen = { style: true, tile: false, lostTiles: 0 }

  it('our map: its tile description -> lost; a tile, another source or a picture -> not', () => {
    const isLost = (event: { sourceId?: string; tile?: unknown }) =>
      afterError({ error, ...event }, { ...seen, lostTiles: 9 }, false).isLost
    expect(isLost({ sourceId: 'city' })).toBe(true)
    expect(isLost({ sourceId: 'city', tile: {} })).toBe(false)
    expect(isLost({ sourceId: 'route-1' })).toBe(false)
    expect(isLost({})).toBe(false)
  })

  it('outside map: the style or the description of its tiles -> lost; a picture of a loaded style -> not', () => {
    expect(afterError({ error }, { ...seen, style: false }, true).isLost).toBe(true)
    expect(afterError({ error, sourceId: 'streets' }, seen, true).isLost).toBe(true)
    expect(afterError({ error }, seen, true).isLost).toBe(false)
  })

  it('outside map: the first tiles all fail -> lost; one of them loaded -> not', () => {
    const lose = (start: typeof seen) => {
      let state = start
      return Array.from({ length: 6 }, () => {
        const { isLost, next } = afterError({ error, sourceId: 'streets', tile: {} }, state, true)
        state = next
        return isLost
      })
    }
    expect(lose(seen)).toEqual([false, false, false, true, true, true])
    expect(lose({ ...seen, tile: true })).not.toContain(true)
  })
})

describe('label anchor', () => {
  type Layers = [id: string, type: string, placement?: string][]
  const anchorOf = (layers: Layers) =>
    labelAnchor({
      getLayer: (id: string) =>
        layers.find(([name]) => name === id) && { type: layers.find(([name]) => name === id)?.[1] },
      getLayersOrder: () => layers.map(([id]) => id),
      getLayoutProperty: (id: string) => layers.find(([name]) => name === id)?.[2],
    } as unknown as Parameters<typeof labelAnchor>[0])

  it('outside style -> below the first label that is not along a street', () => {
    expect(
      anchorOf([
        ['land', 'background'],
        ['street', 'line'],
        ['street-label', 'symbol', 'line'],
        ['shops', 'symbol'],
        ['towns', 'symbol', 'point'],
      ]),
    ).toBe('shops')
  })

  it('our style -> below the names of places; no labels -> on top', () => {
    expect(
      anchorOf([
        ['house-number', 'symbol'],
        ['neighbourhood-name', 'symbol'],
      ]),
    ).toBe('neighbourhood-name')
    expect(anchorOf([['land', 'background']])).toBeUndefined()
  })
})
