import { useState } from 'react'

export type Selection = Record<string, true>

/** Selected rows of a table, by id; Shift selects the range from the last toggled row. */
export function useSelection(ids: () => readonly string[]) {
  const [selection, setSelection] = useState<Selection>({})
  const [anchor, setAnchor] = useState<string | null>(null)
  const toggle = (id: string, shift: boolean) => {
    const on = selection[id] !== true
    const touched = shift && anchor ? between(ids(), anchor, id) : [id]
    const rest = Object.entries(selection).filter(([one]) => !touched.includes(one))
    choose([...rest.map(([one]) => one), ...(on ? touched : [])])
    setAnchor(id)
  }
  const choose = (chosen: readonly string[]) =>
    setSelection(Object.fromEntries(chosen.map((id) => [id, true as const])))
  const toggleAll = () => choose(ids().every((id) => selection[id]) ? [] : ids())
  return { selection, toggle, toggleAll, choose }
}

/** The ids between two, in either order. */
function between(ids: readonly string[], one: string, other: string): readonly string[] {
  const [from, to] = [ids.indexOf(one), ids.indexOf(other)]
  return from < 0 || to < 0 ? [other] : ids.slice(Math.min(from, to), Math.max(from, to) + 1)
}
