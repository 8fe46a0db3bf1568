export type MapTheme = 'light' | 'dark'

/** All colors of the base map and its overlays, one set per theme. */
export interface MapPalette {
  land: string
  built: string
  industry: string
  institution: string
  airport: string
  water: string
  shore: string
  park: string
  grass: string
  forest: string
  cemetery: string
  beach: string
  building: string
  buildingEdge: string
  rail: string
  railTies: string
  street: string
  streetCasing: string
  main: string
  mainCasing: string
  artery: string
  arteryCasing: string
  path: string
  label: string
  labelStrong: string
  labelFaint: string
  waterLabel: string
  parkLabel: string
  halo: string
  route: string
  routeCasing: string
  routeDriven: string
}

const light: MapPalette = {
  land: '#f3f2ee',
  built: '#efeee9',
  industry: '#eae9e5',
  institution: '#efebe6',
  airport: '#e8e8ea',
  water: '#b4d3e2',
  shore: '#9bc1d4',
  park: '#cfe3c6',
  grass: '#dce9d3',
  forest: '#c1dab8',
  cemetery: '#d6dfd1',
  beach: '#f1e6c6',
  building: '#e4e1da',
  buildingEdge: '#d7d3ca',
  rail: '#b9b6b0',
  railTies: '#f3f2ee',
  street: '#ffffff',
  streetCasing: '#dcdad3',
  main: '#fffdf6',
  mainCasing: '#d6d0c0',
  artery: '#fbf0d6',
  arteryCasing: '#d9c89f',
  path: '#cbc5b8',
  label: '#5b5b58',
  labelStrong: '#15171b',
  labelFaint: '#85847f',
  waterLabel: '#3a6f89',
  parkLabel: '#47733f',
  halo: '#fbfaf8',
  route: '#15171b',
  routeCasing: '#ffffff',
  routeDriven: '#8d9098',
}

const dark: MapPalette = {
  land: '#15171a',
  built: '#181b1f',
  industry: '#1a1d21',
  institution: '#1d1c20',
  airport: '#1c1f24',
  water: '#0d2735',
  shore: '#183b4d',
  park: '#182a21',
  grass: '#192720',
  forest: '#172d22',
  cemetery: '#1d2622',
  beach: '#2f2b1d',
  building: '#1f2328',
  buildingEdge: '#282d33',
  rail: '#40464f',
  railTies: '#15171a',
  street: '#2b3037',
  streetCasing: '#101215',
  main: '#353b43',
  mainCasing: '#101215',
  artery: '#464339',
  arteryCasing: '#111214',
  path: '#31363d',
  label: '#a3a9b2',
  labelStrong: '#f4f4f1',
  labelFaint: '#777f89',
  waterLabel: '#6aa1bd',
  parkLabel: '#7aa983',
  halo: '#121417',
  route: '#ffc65c',
  routeCasing: '#121417',
  routeDriven: '#6d6450',
}

/** The palette of a theme. */
export function mapPalette(theme: MapTheme): MapPalette {
  return theme === 'dark' ? dark : light
}

/** The base map's vector source in the style. */
export const citySource = 'city'
