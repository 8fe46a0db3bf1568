/** Says to spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\ufeff'

/** What a spreadsheet would compute, when a cell begins with it. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/**
 * A text as a cell (RFC 4180), always in quotes, so that no other separator splits it. What a spreadsheet would take
 * for a formula gets an apostrophe in front.
 */
export function textCell(text: string): string {
  const harmless = formulaStart.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** Cells, each made by `textCell` or of digits alone, as a line. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}
