import { expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../config.ts'

const load = (variables: Record<string, string>) => loadConfig(variables, '/srv/hansom').baseMap

function problemsOf(variables: Record<string, string>): string {
  try {
    load(variables)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n')
    throw error
  }
  return ''
}

const style = 'https://maps.example/styles/day.json?key=public'

it('base map: nothing set -> our own tiles', () => {
  expect(load({})).toBeNull()
})

it('base map: styles and further hosts -> each origin once', () => {
  expect(
    load({
      MAP_STYLE_URL: style,
      MAP_STYLE_URL_DARK: 'https://maps.example/styles/night.json?key=public',
      MAP_HOSTS: 'tiles.example, http://127.0.0.1:9000',
    }),
  ).toEqual({
    style,
    styleDark: 'https://maps.example/styles/night.json?key=public',
    tiles: null,
    attribution: null,
    origins: ['https://maps.example', 'https://tiles.example', 'http://127.0.0.1:9000'],
  })
})

it('base map: a tile template -> kept as it is', () => {
  const tiles = 'https://tiles.example/{z}/{x}/{y}.mvt'
  expect(load({ MAP_TILES_URL: tiles, MAP_ATTRIBUTION: '© Example' })).toMatchObject({
    style: null,
    tiles,
    attribution: '© Example',
    origins: ['https://tiles.example'],
  })
})

it.each([
  [{ MAP_STYLE_URL: 'mapbox://styles/mapbox/streets-v12' }, 'MAP_STYLE_URL must be'],
  [{ MAP_STYLE_URL: 'http://maps.example/style.json' }, 'MAP_STYLE_URL must be'],
  [{ MAP_TILES_URL: 'https://tiles.example/all', MAP_ATTRIBUTION: '©' }, 'MAP_TILES_URL must be'],
  [{ MAP_TILES_URL: 'https://{s}.example/{z}/{x}/{y}', MAP_ATTRIBUTION: '©' }, 'MAP_TILES_URL must be'],
  [{ MAP_TILES_URL: 'https://tiles.example/tiles.json' }, 'not MAP_ATTRIBUTION'],
  [
    { MAP_STYLE_URL: style, MAP_TILES_URL: 'https://tiles.example/tiles.json', MAP_ATTRIBUTION: '©' },
    'one of',
  ],
  [{ MAP_STYLE_URL_DARK: style }, 'not MAP_STYLE_URL'],
  [{ MAP_ATTRIBUTION: '© Example' }, 'neither'],
  [{ MAP_STYLE_URL: style, MAP_HOSTS: '*.example' }, 'MAP_HOSTS must be'],
  [{ MAP_STYLE_URL: style, MAP_HOSTS: "tiles.example; script-src 'unsafe-inline'" }, 'MAP_HOSTS must be'],
  [{ MAP_STYLE_URL: style, MAP_HOSTS: 'https://tiles.example/path' }, 'MAP_HOSTS must be'],
])('base map: %o -> problem', (variables: Record<string, string>, problem) => {
  expect(problemsOf(variables)).toContain(problem)
})

it('base map: a key in a wrong URL -> not repeated in the message', () => {
  expect(problemsOf({ MAP_STYLE_URL: 'mapbox://style?access_token=pk.secret' })).not.toContain('pk.secret')
})
