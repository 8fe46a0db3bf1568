import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { builtServer } from './test-server-process.ts'

export interface TestCluster {
  child: ChildProcess
  /** Everything it printed. */
  said(): string
}

/** Runs the command `npm run cluster` of the built server in a process of its own. */
export async function startCluster(
  args: readonly string[],
  variables: { DATA_DIR: string; PORT: string; [name: string]: string },
): Promise<TestCluster> {
  const program = pathToFileURL((await builtServer()).replace('main.js', 'cluster.js')).href
  const script = `import(${JSON.stringify(program)}).then((m) => m.runCluster(${JSON.stringify(args)}, process.env))`
  const child = spawn(process.execPath, ['-e', script], {
    env: {
      ...process.env,
      // An empty variable counts as unset.
      AUTH_SECRET: '',
      DATABASE_URL: '',
      REDIS_URL: '',
      NODE_ENV: 'development',
      DEMO: 'off',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  return { child, said: () => output }
}

/** Ends those that run: a killed one would leave its database running. */
export async function stopClusters(clusters: readonly TestCluster[]): Promise<void> {
  for (const { child } of clusters) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}
