/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\ufeff'

/** Leading characters that make a spreadsheet evaluate a cell. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/**
 * Formats a text as a cell (RFC 4180), always quoted, so that no other separator splits it. A text that a spreadsheet
 * would evaluate as a formula gets a leading apostrophe.
 */
export function textCell(text: string): string {
  const escaped = formulaStart.test(text) ? `'${text}` : text
  return `"${escaped.replaceAll('"', '""')}"`
}

/** Joins cells into a line; each cell comes from `textCell` or contains digits only. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}
