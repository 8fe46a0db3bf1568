import { silentLog } from '../../log/log.ts'
import { openDatabase } from '../open-database.ts'

// A server reduced to its database: prints the description and closes on SIGTERM.
const database = await openDatabase({ databaseUrl: undefined, dataDir: process.argv[2] ?? '' }, silentLog())
process.once('SIGTERM', () => void database.close().then(() => process.exit(0)))
console.log(database.describe())
setInterval(() => {}, 60_000)
