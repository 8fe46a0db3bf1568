/** Coordinates of a cell; the header is row -1. */
export interface CellPosition {
  row: number
  column: number
}

/** The size of a grid; `page` is the number of rows that PageDown moves. */
export interface GridSize {
  rows: number
  columns: number
  page: number
}

/** The target of a navigation key, or null for other keys (the ARIA grid pattern). */
export function nextCell(
  { key, jump, rightToLeft }: { key: string; jump: boolean; rightToLeft: boolean },
  { row, column }: CellPosition,
  { rows, columns, page }: GridSize,
): CellPosition | null {
  const onwards = rightToLeft ? 'ArrowLeft' : 'ArrowRight'
  const to = (toRow: number, toColumn: number): CellPosition => ({
    row: Math.max(-1, Math.min(toRow, rows - 1)),
    column: Math.max(0, Math.min(toColumn, columns - 1)),
  })
  switch (key) {
    case 'ArrowDown':
      return to(row + 1, column)
    case 'ArrowUp':
      return to(row - 1, column)
    case 'ArrowLeft':
    case 'ArrowRight':
      return to(row, column + (key === onwards ? 1 : -1))
    case 'Home':
      return to(jump ? 0 : row, 0)
    case 'End':
      return to(jump ? rows - 1 : row, columns - 1)
    case 'PageDown':
      return to(row + page, column)
    case 'PageUp':
      return to(Math.max(0, row - page), column)
    default:
      return null
  }
}

/** The next cell in reading order that `fits`, across row ends; null if none. */
export function nextMatchingCell(
  { row, column }: CellPosition,
  step: 1 | -1,
  size: Pick<GridSize, 'rows' | 'columns'>,
  fits: (place: CellPosition) => boolean,
): CellPosition | null {
  const last = size.rows * size.columns
  for (let at = row * size.columns + column + step; at >= 0 && at < last; at += step) {
    const place = { row: Math.floor(at / size.columns), column: at % size.columns }
    if (fits(place)) return place
  }
  return null
}
