// One benchmark in a process of its own, so that none warms up or clutters another.
import { pathToFileURL } from 'node:url'

const { run } = await import(pathToFileURL(process.argv[2]).href)
const result = await run()
process.send?.([result].flat())
process.disconnect?.()
