import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  columnsOf,
  type ImportedRow,
  importColumnNames,
  importedRow,
  importLimits,
  isEmptyLine,
  missingColumns,
} from '@hansom/domain/deliveries/import'
import { Refusal } from '@hansom/domain/error-keys'
import { CsvError, type Parser, parse } from 'csv-parse'

/** A row with its number in the file, and the key that identifies the same row in another file. */
export interface ReadRow {
  n: number
  data: ImportedRow
  key: string
}

const charsAtOnce = 32_768

/**
 * The rows of a CSV file, with the given texts in empty cells. Throws too_large for more than 1 MB or 2,000 rows, and
 * invalid_input for text that is not UTF-8, a broken quote or missing columns, file_without_rows.
 */
export async function readImportFile(
  text: string,
  filled: Partial<Pick<ImportedRow, 'pickup' | 'vehicle'>>,
): Promise<ReadRow[]> {
  if (Buffer.byteLength(text) > importLimits.bytes) throw new Refusal('too_large')
  // Decoders write this character for bytes that are not UTF-8.
  if (text.includes('\ufffd')) throw wrongText()
  const [header = [], ...lines] = await parsed(text)
  const columns = columnsOf(header)
  const missing = missingColumns(columns, Boolean(filled.pickup))
  if (missing.length > 0) {
    throw new Refusal('invalid_input', {
      fields: missing.map((column) => ({ field: column, error: 'required' })),
    })
  }
  const seen = new Map<string, number>()
  const rows = lines.flatMap((cells, index): ReadRow[] => {
    if (isEmptyLine(cells)) return []
    const row = importedRow(cells, columns)
    const data = {
      ...row,
      pickup: row.pickup || (filled.pickup ?? ''),
      vehicle: row.vehicle || (filled.vehicle ?? ''),
    }
    const texts = JSON.stringify(importColumnNames.map((column) => data[column]))
    // Equal rows of one file are different parcels.
    const count = (seen.get(texts) ?? 0) + 1
    seen.set(texts, count)
    return [{ n: index + 2, data, key: sha256(`${count}${texts}`) }]
  })
  if (rows.length > importLimits.rows) throw new Refusal('too_large')
  if (rows.length === 0) throw new Refusal('file_without_rows')
  return rows
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const wrongText = (row?: number) =>
  new Refusal('invalid_input', {
    fields: [{ field: 'text', error: 'wrong_type' }],
    ...(row !== undefined && { data: { row } }),
  })

/** Parses in slices, so that other requests are served meanwhile. */
async function parsed(text: string): Promise<string[][]> {
  const parser: Parser = parse({
    delimiter: delimiterOf(text),
    bom: true,
    relax_column_count: true,
    skip_empty_lines: false,
  })
  const lines: string[][] = []
  const failed = new Promise<never>((_resolve, reject) => parser.once('error', reject))
  failed.catch(() => {})
  parser.on('readable', () => {
    for (let line = parser.read(); line !== null; line = parser.read()) lines.push(line as string[])
  })
  const ended = new Promise<void>((resolve) => parser.once('end', resolve))
  const written = async () => {
    for (let at = 0; at < text.length && !parser.destroyed; at += charsAtOnce) {
      parser.write(text.slice(at, at + charsAtOnce))
      await setImmediate()
    }
    parser.end()
    await ended
  }
  try {
    await Promise.race([written(), failed])
  } catch (error) {
    if (error instanceof CsvError) throw wrongText(lines.length + 1)
    throw error
  }
  return lines
}

/** Spreadsheets of countries with a decimal comma write semicolons. */
function delimiterOf(text: string): ',' | ';' {
  const header = (text.split(/\r\n|\r|\n/, 1)[0] ?? '').replace(/"[^"]*"/g, '')
  return header.split(';').length > header.split(',').length ? ';' : ','
}
