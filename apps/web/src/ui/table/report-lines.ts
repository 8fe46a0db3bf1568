/** A visible line of a report: a group with its subtotal, or a row. */
export interface ReportLine<Row> {
  id: string
  depth: number
  /** The group keys down to this line, outermost first. */
  path: readonly string[]
  /** The row; for a group, its first one. */
  row: Row
  isGroup: boolean
  isOpen: boolean
  /** Id of the group that contains it. */
  parent: string | null
}

interface Options<Row> {
  /** The group key of a row at each level, outermost first. */
  keys: readonly ((row: Row) => string)[]
  rowId: (row: Row) => string
  isOpen: (group: { id: string; depth: number }) => boolean
}

/** Groups the rows level by level, in order of first appearance, and lists what the open groups show. */
export function reportLines<Row>(rows: readonly Row[], options: Options<Row>): ReportLine<Row>[] {
  return linesAt(rows, [], options)
}

function linesAt<Row>(
  rows: readonly Row[],
  path: readonly string[],
  options: Options<Row>,
): ReportLine<Row>[] {
  const { keys, rowId, isOpen } = options
  const depth = path.length
  const parent = depth === 0 ? null : groupId(path)
  const keyOf = keys[depth]
  if (!keyOf)
    return rows.map((row) => ({
      id: rowId(row),
      depth,
      path,
      row,
      isGroup: false,
      isOpen: false,
      parent,
    }))
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const members = groups.get(key)
    if (members) members.push(row)
    else groups.set(key, [row])
  }
  return [...groups].flatMap(([key, members]) => {
    const inside = [...path, key]
    const id = groupId(inside)
    const open = isOpen({ id, depth })
    const group = { id, depth, path: inside, row: members[0] as Row, isGroup: true, isOpen: open, parent }
    return [group, ...(open ? linesAt(members, inside, options) : [])]
  })
}

function groupId(path: readonly string[]): string {
  return JSON.stringify(path)
}
