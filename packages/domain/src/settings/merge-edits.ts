/** A field that two people changed: its value before, the value I typed, the value the other one saved. */
export interface FieldConflict<Name extends string> {
  name: Name
  mine: unknown
  theirs: unknown
}

/**
 * Compares my edit of one state (`before`) with the state that someone else has saved since (`after`). Fields that only
 * one of us changed are no conflict, nor are fields with the same new value.
 */
export function conflictsOf<Values extends object>(
  before: Values,
  edits: Partial<Values>,
  after: Values,
): FieldConflict<keyof Values & string>[] {
  return (Object.keys(edits) as (keyof Values & string)[]).flatMap((name) => {
    const theirs = after[name]
    if (theirs === before[name] || theirs === edits[name]) return []
    return [{ name, mine: edits[name], theirs }]
  })
}
