import { prepare } from './prepare.ts'

/** The process that prepares the map into the folder named, see `prepare-map.ts`. Each line it writes is a step. */
const folder = process.argv[2]
if (folder === undefined) throw new Error('The folder to prepare the map in is missing')
const server = process.ppid
prepare(folder, (step) => {
  // It works without a pause and hears nothing meanwhile: this is how it learns that its server was killed.
  if (process.ppid !== server) process.exit(1)
  process.stdout.write(`${step}\n`)
})
