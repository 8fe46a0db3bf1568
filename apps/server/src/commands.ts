import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import manifest from '../package.json' with { type: 'json' }
import { runBackupCommand } from './backup.ts'
import { ConfigError, givenVariables } from './config.ts'
import { runDoctorCommand } from './doctor-command.ts'
import { NotChecked, runLedgerCheck } from './ledger-check.ts'
import { runMapsCommand } from './maps.ts'
import { BackupError } from './platform/backup/backup.ts'
import { DatabaseUnavailableError } from './platform/database/postgres-errors.ts'
import { printError } from './platform/log/print-error.ts'

/**
 * The commands of an installation. `npm run` calls them after a build; where only the built server is, as in the image:
 * `node apps/server/dist/commands.js doctor`.
 */
const commands: Record<string, (args: string[], typedIn: string) => Promise<0 | 1>> = {
  doctor: () =>
    runDoctorCommand({
      variables: givenVariables(),
      workingFolder: process.cwd(),
      nodeVersion: process.versions.node,
      oldestNode: manifest.engines.node.replace('>=', ''),
    }),
  backup: (args, typedIn) =>
    runBackupCommand({ args: ['backup', ...args], typedIn, version: manifest.version }),
  restore: (args, typedIn) =>
    runBackupCommand({ args: ['restore', ...args], typedIn, version: manifest.version }),
  maps: (args, typedIn) =>
    runMapsCommand({ args, dataDir: resolve(givenVariables().DATA_DIR?.trim() || './data'), typedIn }),
  'ledger-check': () => runLedgerCheck(),
}

/** Their messages say what to do. */
const printableErrors = [ConfigError, DatabaseUnavailableError, BackupError, NotChecked]

/** Runs a command; paths in its arguments are relative to `typedIn`. Returns the exit code. */
export async function runCommand([name = '', ...args]: readonly string[], typedIn: string): Promise<0 | 1> {
  const command = commands[name]
  if (command === undefined) {
    process.stderr.write(`Unknown command: ${name}. Available: ${Object.keys(commands).join(', ')}.\n`)
    return 1
  }
  try {
    return await command(args, typedIn)
  } catch (error) {
    printError(error, printableErrors)
    return 1
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exit(await runCommand(process.argv.slice(2), process.cwd()))
