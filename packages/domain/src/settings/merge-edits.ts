/** One field that two people have changed: what stood there, what I typed, what the other one saved. */
export interface FieldConflict<Name extends string> {
  name: Name
  mine: unknown
  theirs: unknown
}

/**
 * Compares what I typed over one state (`before`) with the state that somebody else has saved since (`after`). Fields
 * that only one of us changed are no conflict, nor are those in which we agree.
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
