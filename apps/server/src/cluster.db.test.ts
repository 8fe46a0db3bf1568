import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@hansom/doubles/free-port'
import { afterAll, expect, test } from 'vitest'
import { redisProgram } from './adapters/server-bus/own-redis.ts'
import { startCluster, stopClusters, type TestCluster } from './test-cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'hansom-cluster-'))
const clusters: TestCluster[] = []
afterAll(async () => {
  await stopClusters(clusters)
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(redisProgram === undefined)(
  'npm run cluster: Ctrl+C twice while Redis starts -> nothing more starts, Redis ends, and it says so once',
  async () => {
    const slow = join(folder, redisProgram as string)
    const mayStart = join(folder, 'may-start')
    const waits = `until test -e '${mayStart}'; do sleep 0.05; done`
    writeFileSync(
      slow,
      `#!/bin/sh\ntest "$1" = --version && exit\n${waits}\nPATH="\${PATH#*:}" exec ${redisProgram} "$@"\n`,
    )
    chmodSync(slow, 0o755)
    const dataDir = join(folder, 'data')
    const cluster = await startCluster(['2'], {
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      PATH: `${folder}:${process.env.PATH}`,
    })
    clusters.push(cluster)
    const ended = once(cluster.child, 'exit')
    for (const said of ['Starting Redis', 'Stopping']) {
      await expect.poll(cluster.said, { timeout: 10_000, interval: 20 }).toContain(said)
      cluster.child.kill('SIGINT')
    }
    writeFileSync(mayStart, '')
    expect(await ended).toEqual([0, null])
    expect(cluster.said()).toBe('Starting Redis\nStopping\nStopped\n')
    // The cluster removes it when Redis has ended.
    expect(existsSync(join(dataDir, 'redis.json'))).toBe(false)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  },
)
