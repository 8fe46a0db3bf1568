import type { SourceFeature } from '../source.ts'
import { type Entry, middle } from './entry.ts'
import { wordsForKind } from './kind-words.ts'
import type { Localities } from './localities.ts'
import { placeImportance } from './place-importance.ts'
import { words } from './words.ts'

/** One entry for each named place people ride to. A place mapped twice under one name within a block is kept once. */
export function placeEntries(features: SourceFeature[], localities: Localities): Entry[] {
  const best = new Map<string, Entry>()
  for (const feature of wholeFeatures(features)) {
    const { tags, shape, id } = feature
    if (!tags.name || (tags.highway && shape === 'line')) continue
    const standing = placeImportance(tags)
    if (!standing || words(tags.name).length === 0) continue
    const { x, y } = middle(shape, feature.rings[0] as number[])
    const size = shape === 'area' ? 0.05 : 0
    const street = [tags['addr:street'], tags['addr:housenumber']].filter(Boolean).join(' ')
    const locality = localities
      .of(x, y)
      .split(', ')
      .filter((part) => part !== '' && part !== tags.name)
    const others = [tags.alt_name, tags.short_name, tags.old_name, tags['name:es'], tags.brand]
    const entry: Entry = {
      id,
      label: tags.name,
      detail: [...(tags['addr:street'] ? [street] : []), ...locality].join(', '),
      kind: 'place',
      x,
      y,
      importance: standing.importance + size,
      alsoKnownAs: [
        ...others.filter((name): name is string => name !== undefined && name !== tags.name),
        ...wordsForKind(standing.kind),
      ],
    }
    const spot = `${words(tags.name).join(' ')} ${Math.round(x / 30_000)} ${Math.round(y / 30_000)}`
    const known = best.get(spot)
    if (!known || known.importance < entry.importance) best.set(spot, entry)
  }
  return [...best.values()]
}

/** Of an area cut at tile borders only its most detailed part, so that one id is one place. */
function wholeFeatures(features: SourceFeature[]): Iterable<SourceFeature> {
  const named = new Map<string, SourceFeature>()
  for (const feature of features) {
    if (!feature.tags.name) continue
    const known = named.get(feature.id)
    if (!known || (known.rings[0]?.length ?? 0) < (feature.rings[0]?.length ?? 0))
      named.set(feature.id, feature)
  }
  return named.values()
}
