import { type Labels, renderLabels } from './labels.ts'
import { renderSheet, type Sheet } from './sheet.ts'

/** The process that writes documents for `sheet-writer`: one message in, one out, in the same order. */
process.on('message', (document: Sheet | Labels) => {
  const written = 'labels' in document ? renderLabels(document) : renderSheet(document)
  written.then(
    (pdf) => answer({ pdf }),
    (error: unknown) => answer({ error: String(error) }),
  )
})
/** A server that stops meanwhile needs no answer. */
const answer = (message: object) => void process.send?.(message, undefined, undefined, () => {})
process.on('disconnect', () => process.exit(0))
