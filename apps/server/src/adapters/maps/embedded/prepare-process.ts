import { prepare } from './prepare.ts'

/** The process that prepares the map into the given folder, see `prepared-map.ts`. Each line it prints is a step. */
const folder = process.argv[2]
if (folder === undefined) throw new Error('The folder to prepare the map in is missing')
const server = process.ppid
prepare(folder, (step) => {
  // This process blocks its event loop, so it checks its parent's pid to detect that the server was killed.
  if (process.ppid !== server) process.exit(1)
  process.stdout.write(`${step}\n`)
})
