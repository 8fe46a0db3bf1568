import type { Tags } from '../source/map-source.ts'

/** Keys of names besides `name`, each possibly with a language, such as `alt_name:fr`. */
const nameKeys =
  /^(?:name|alt_name|short_name|official_name|old_name|loc_name|int_name|nat_name|reg_name)(?::[a-z]{2,3}(?:[-_][A-Za-z]+)?)?$|^name:(?:left|right)$|^(?:ref|brand|operator|iata|icao|branch)$/

/** All names of a feature but its `name`, in all languages, without repetitions; ";" separates several. */
export function otherNames(tags: Tags): string[] {
  const found = new Set<string>()
  for (const key in tags) {
    if (key === 'name' || !nameKeys.test(key)) continue
    for (const part of (tags[key] as string).split(';')) if (part.trim() !== '') found.add(part.trim())
  }
  const label = tags.name?.trim()
  for (const part of label?.split(';') ?? []) if (part.trim() !== label) found.add(part.trim())
  if (label !== undefined) found.delete(label)
  return [...found]
}

const numberedRoads = /^(?:motorway|trunk|primary|secondary)$/

/** The label of a street: its name, or the number of a main road without a name; undefined if it has neither. */
export function streetName(tags: Tags): string | undefined {
  return (
    tags.name || (numberedRoads.test(tags.highway ?? '') ? tags.ref?.split(';')[0] : undefined) || undefined
  )
}
