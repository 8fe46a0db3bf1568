import { setTimeout as wait } from 'node:timers/promises'
import { type Push, PushError } from '../../adapters/push/port.ts'
import type { Database } from '../../platform/database/database.ts'
import { lostConnection } from '../../platform/database/postgres-errors.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Log } from '../../platform/log/log.ts'
import { withOrigin } from '../../platform/log/origin.ts'
import { metrics } from '../../platform/metrics/metrics.ts'
import type { createComposer } from './compose.ts'
import { type Outcome, storeOutcomes, type Unreached } from './outcomes.ts'
import { type ClaimedPush, claimPushes } from './queue.ts'

export interface SenderDeps {
  database: Pick<Database, 'pool' | 'withTransaction'>
  log: Log
  push: Pick<Push, 'send'>
  compose: ReturnType<typeof createComposer>
  /** Schedules, in the transaction, that the receipts of accepted messages are read. */
  expectReceipts(tx: Transaction, receipts: readonly DeviceReceipt[]): Promise<void>
  /** An admin's send reached none of these users' devices. */
  unreached(tx: Transaction, users: readonly Unreached[]): Promise<void>
  options?: Partial<SenderOptions> | undefined
}

/** A device and the id under which the push service reports its result. */
export interface DeviceReceipt {
  device: string
  receipt: string
}

export interface SenderOptions {
  /** Messages being sent at the same time: urgent ones have their own places, so that others never delay them. */
  urgent: number
  others: number
  /** Polling interval for retries and for messages of other servers, ms. */
  pollMs: number
  /** A server that does not finish a message in this time has died: another one sends it, ms. */
  leaseMs: number
  /** Pause before the first retry, ms; doubles up to `longestRetryMs`. */
  retryMs: number
  longestRetryMs: number
}

const defaults: SenderOptions = {
  urgent: 48,
  others: 32,
  pollMs: 1_000,
  leaseMs: 30_000,
  retryMs: 500,
  longestRetryMs: 300_000,
}

/** How long `stop` waits for messages that are being sent, ms. */
const stopMs = 2_000

export interface Sender {
  start(): void
  /** Call after the commit that queued messages. */
  wake(): void
  /** Resolves when nothing is due or being sent. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/**
 * Sends queued messages outside of any transaction. Each is sent at least once: a crash between the push service's
 * response and the commit of its removal sends it again, with the same tag.
 */
export function createSender(deps: SenderDeps): Sender {
  const { database, log } = deps
  const options = { ...defaults, ...deps.options }
  const free = { urgent: options.urgent, others: options.others }
  const sending = new Set<Promise<void>>()
  let running = false
  let woken = false
  /** All places were taken, so more messages may be due. */
  const starved = { urgent: false, others: false }
  let claiming: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let outcomes: Outcome[] = []
  let receipts: DeviceReceipt[] = []
  let storing: Promise<void> | undefined

  function wake(): void {
    woken = true
    if (!running || claiming) return
    claiming = withOrigin(undefined, claimDue).finally(() => {
      claiming = undefined
      if (woken) wake()
    })
  }

  async function claimDue(): Promise<void> {
    while (woken && running) {
      woken = false
      const asked = { ...free }
      try {
        const pushes = await claimPushes(database.pool, { ...asked, leaseMs: options.leaseMs })
        for (const push of pushes) begin(push)
        const urgent = pushes.filter((push) => push.urgent).length
        starved.urgent = urgent === asked.urgent
        starved.others = pushes.length - urgent === asked.others
      } catch (error) {
        if (lostConnection(error) === undefined) log.error({ err: error }, 'failed to read push messages')
      }
    }
  }

  function begin(push: ClaimedPush): void {
    const place = push.urgent ? 'urgent' : 'others'
    free[place] -= 1
    const work: Promise<void> = deliver(push)
      .then((outcome) => {
        metrics.pushMessages.inc({ service: push.kind, result: outcome.result })
        outcomes.push(outcome)
      })
      .then(() => {
        free[place] += 1
        if (starved[place]) wake()
        return store()
      })
      .finally(() => sending.delete(work))
    sending.add(work)
  }

  async function deliver(push: ClaimedPush): Promise<Outcome> {
    const { device, tag, kind, token, p256dh, auth, platform, ttlMs } = push
    if (ttlMs <= 0) return { push, result: 'dropped' }
    try {
      const { content, urgency } = await deps.compose(push)
      const target = { kind, token, p256dh, auth, platform }
      const { receipt } = await deps.push.send({
        target,
        content,
        urgency,
        tag,
        ttlS: Math.ceil(ttlMs / 1000),
      })
      if (receipt !== null) receipts.push({ device, receipt })
      return { push, result: 'accepted' }
    } catch (error) {
      const failure = error instanceof PushError ? error.failure : 'temporary'
      if (failure === 'temporary') return laterOf(push, error)
      // Neither contains a token.
      log.info({ device, kind, failure, reason: (error as Error).message }, 'push message not accepted')
      return { push, result: failure === 'unregistered' ? 'unregistered' : 'dropped' }
    }
  }

  function laterOf(push: ClaimedPush, error: unknown): Outcome {
    const pause = Math.min(options.longestRetryMs, options.retryMs * 2 ** Math.min(push.tries - 1, 20))
    const asked = error instanceof PushError ? (error.retryAfterMs ?? 0) : 0
    const afterMs = Math.max(asked, pause * (0.5 + Math.random() / 2))
    const { device, kind, tries } = push
    log.debug({ err: error, device, kind, tries, afterMs }, 'push message failed')
    return afterMs < push.ttlMs ? { push, result: 'retry', afterMs } : { push, result: 'dropped' }
  }

  /** Stores outcomes, those that arrive meanwhile together. Lost ones are sent again after their lease. */
  function store(): Promise<void> {
    storing ??= (async () => {
      while (outcomes.length > 0) {
        const [batch, read] = [outcomes, receipts]
        outcomes = []
        receipts = []
        try {
          await database.withTransaction(async (tx) => {
            const { unreached, isMoreDue } = await storeOutcomes(tx, batch)
            if (unreached.length > 0) await deps.unreached(tx, unreached)
            if (isMoreDue) tx.afterCommit(wake)
            if (read.length > 0) await deps.expectReceipts(tx, read)
          })
        } catch (error) {
          log.error({ err: error, messages: batch.length }, 'results of push messages not stored')
        }
      }
      // In the same turn as the last check, so that no outcome is missed.
      storing = undefined
    })()
    return storing
  }

  return {
    start() {
      if (running) return
      running = true
      timer = setInterval(wake, options.pollMs)
      timer.unref()
      wake()
    },
    wake,
    async idle() {
      wake()
      while (claiming || sending.size > 0) {
        await claiming
        await Promise.all(sending)
      }
    },
    async stop() {
      running = false
      clearInterval(timer)
      await claiming
      const limit = new AbortController()
      await Promise.race([Promise.all(sending), wait(stopMs, undefined, limit).catch(() => {})])
      limit.abort()
    },
  }
}
