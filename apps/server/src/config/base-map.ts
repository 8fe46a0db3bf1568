import type { PublicSettings } from '@hansom/contract/settings'
import type { Environment } from './environment.ts'

/** The map that browsers draw instead of our own tiles, and the origins that they load it from. */
export interface BaseMapConfig extends NonNullable<PublicSettings['baseMap']> {
  origins: string[]
}

/** The configured base map; null: our own tiles. */
export function baseMapConfig(values: Environment): BaseMapConfig | null {
  const { MAP_STYLE_URL, MAP_STYLE_URL_DARK, MAP_TILES_URL, MAP_ATTRIBUTION, MAP_HOSTS } = values
  const urls = [MAP_STYLE_URL, MAP_STYLE_URL_DARK, MAP_TILES_URL].filter((url) => url !== undefined)
  if (urls.length === 0) return null
  return {
    style: MAP_STYLE_URL ?? null,
    styleDark: MAP_STYLE_URL_DARK ?? null,
    tiles: MAP_TILES_URL ?? null,
    attribution: MAP_ATTRIBUTION ?? null,
    origins: [...new Set([...urls.map((url) => new URL(url).origin), ...MAP_HOSTS])],
  }
}

/** What is wrong with the variables of the base map taken together. */
export function baseMapProblems(given: Record<string, string | undefined>): string[] {
  const isSet = (name: string) => given[name] !== undefined
  const problems: string[] = []
  if (isSet('MAP_STYLE_URL') && isSet('MAP_TILES_URL'))
    problems.push('MAP_STYLE_URL and MAP_TILES_URL are set: leave one of them out')
  if (isSet('MAP_STYLE_URL_DARK') && !isSet('MAP_STYLE_URL'))
    problems.push(
      'MAP_STYLE_URL_DARK is set, but not MAP_STYLE_URL: the map needs a style for light pages too',
    )
  if (isSet('MAP_TILES_URL') && !isSet('MAP_ATTRIBUTION'))
    problems.push('MAP_TILES_URL is set, but not MAP_ATTRIBUTION: the map must name the source of its tiles')
  for (const name of ['MAP_ATTRIBUTION', 'MAP_HOSTS']) {
    if (isSet(name) && !isSet('MAP_STYLE_URL') && !isSet('MAP_TILES_URL'))
      problems.push(`${name} is set, but neither MAP_STYLE_URL nor MAP_TILES_URL`)
  }
  return problems
}
