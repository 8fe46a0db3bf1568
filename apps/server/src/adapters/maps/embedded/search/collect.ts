import type { SourceFeature, Tags } from '../source/map-source.ts'
import { middle } from './entry.ts'
import { streetName } from './name-tags.ts'
import { placeImportance } from './place-importance.ts'
import { isEntrance } from './stopping-points.ts'

/** An object with an address, at its middle in world units. */
export interface AddressPoint {
  id: string
  tags: Tags
  x: number
  y: number
}

/** What search needs of the map data. Features are those of the source, of which everything else is let go. */
export interface SearchSource {
  streets: SourceFeature[]
  /** Candidates for places: with a name, brand or operator, or of a kind that is found without. */
  places: SourceFeature[]
  /** With a house number or a city. */
  addresses: AddressPoint[]
  /** Lines along which house numbers are interpolated. */
  interpolations: SourceFeature[]
  /** Entrances, taxi ranks, stops and airport terminals. */
  entrances: SourceFeature[]
  /** Named settlements and parts of them, and administrative areas. */
  localities: SourceFeature[]
}

/** Sorts the features in one pass. */
export function collectSearchSource(features: Iterable<SourceFeature>): SearchSource {
  const found: SearchSource = {
    streets: [],
    places: [],
    addresses: [],
    interpolations: [],
    entrances: [],
    localities: [],
  }
  for (const feature of features) {
    const { id, tags, shape, rings } = feature
    if (shape === 'line') {
      if (tags['addr:interpolation']) found.interpolations.push(feature)
      if (tags.highway) {
        if (streetName(tags) !== undefined) found.streets.push(feature)
        continue
      }
    }
    if (tags['addr:housenumber'] || tags['addr:city']) {
      found.addresses.push({ id, tags, ...middle(shape, rings[0] as number[]) })
    }
    if (isEntrance(feature)) found.entrances.push(feature)
    const isBoundary = tags.boundary === 'administrative'
    if (tags.name && ((isBoundary && shape === 'area') || (tags.place && shape !== 'line')))
      found.localities.push(feature)
    if ((!isBoundary || tags.place) && placeImportance(tags)) found.places.push(feature)
  }
  return found
}
