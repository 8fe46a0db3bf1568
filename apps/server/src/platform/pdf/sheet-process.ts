import { renderSheet, type Sheet } from './sheet.ts'

/** The process that writes sheets for `sheet-writer`: one message in, one out, in the same order. */
process.on('message', (sheet: Sheet) => {
  renderSheet(sheet).then(
    (pdf) => process.send?.({ pdf }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
