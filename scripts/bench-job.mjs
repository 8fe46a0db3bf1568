// Runs one benchmark in a separate process, so that none warms up or affects another.
import { pathToFileURL } from 'node:url'

const { run } = await import(pathToFileURL(process.argv[2]).href)
const result = await run()
process.send?.([result].flat())
process.disconnect?.()
