import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fingerprint, isCurrent, markCurrent } from './fingerprint.mjs'
import { main, npm, root, SetupError } from './run.mjs'
import { oneAtATime } from './with-lock.mjs'

const everywhere = [
  'packages/domain',
  'packages/contract',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build.mjs',
]

/** Build targets: inputs, output and build function. The mark file is in the output folder and is deleted with it. */
const targets = [
  {
    name: 'server',
    inputs: ['apps/server/src'],
    mark: 'apps/server/dist/.made-from',
    // `cluster` and `commands` are command lines; the others prepare a map and write PDF files, each in a separate process.
    make: () =>
      bundle('server', [
        'main',
        'cluster',
        'commands',
        'adapters/maps/embedded/prepare-process',
        'platform/pdf/sheet-process',
      ]),
  },
  {
    name: 'simulator',
    inputs: ['apps/simulator/src', 'packages/client/src'],
    mark: 'apps/simulator/dist/.made-from',
    make: () => bundle('simulator', ['main']),
  },
  {
    name: 'web',
    inputs: ['apps/web', 'packages/client/src'],
    mark: 'apps/web/dist/.made-from',
    make: buildWeb,
  },
]

/**
 * Builds the targets whose inputs changed since the last build.
 * @param {readonly string[]} [names] of the targets; all by default
 */
export function build(names = []) {
  return oneAtATime('build', () => buildChanged(names))
}

/** @param {readonly string[]} names */
async function buildChanged(names) {
  for (const { name, inputs, mark, make } of targets) {
    if (names.length > 0 && !names.includes(name)) continue
    if (!existsSync(`${root}/${inputs[0]}`)) continue
    const print = fingerprint([...inputs, ...everywhere])
    if (isCurrent(mark, print)) continue
    const startedAt = Date.now()
    await make()
    markCurrent(mark, print)
    console.log(`Built the ${name} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
  }
}

/**
 * Bundles our code into one file per program; packages stay external.
 * @param {string} app
 * @param {string[]} programs
 */
async function bundle(app, programs) {
  const esbuild = await import('esbuild')
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: programs.map((program) => `apps/${app}/src/${program}.ts`),
    outdir: `apps/${app}/dist`,
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [
      {
        name: 'packages-stay-outside',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@hansom/') ? undefined : { path, external: true },
          )
        },
      },
    ],
  })
}

async function buildWeb() {
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output } = await npm(['run', 'build', '--workspace', '@hansom/web'], { quiet: true, env })
  if (code === 0) return
  throw new SetupError(`${output}\nThe web application failed to build; see the output above.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(() => build(process.argv.slice(2)))
