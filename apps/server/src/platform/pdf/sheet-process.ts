import { type Labels, renderLabels } from './labels.ts'
import { renderSheet, type Sheet } from './sheet.ts'

/** The process that writes documents for `sheet-writer`: one message in, one out, in the same order. */
process.on('message', (document: Sheet | Labels) => {
  const written = 'labels' in document ? renderLabels(document) : renderSheet(document)
  written.then(
    (pdf) => process.send?.({ pdf }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
