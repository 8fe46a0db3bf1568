import type { Position } from '@hansom/contract/tracking'
import { Refusal } from '@hansom/domain/error-keys'
import type { SessionActor } from '../http/implement.ts'
import type { Log } from '../log/log.ts'
import type { Connection } from './connection.ts'

/** Handles a driver's position; resolves once it is as durable as required. A Refusal is sent as its key. */
export type PositionHandler = (actor: SessionActor, position: Position) => Promise<void>

/** Passes positions to the handler, those of one connection one at a time and in order. */
export class Positions {
  private handler: PositionHandler | null = null
  private readonly log: Log

  constructor(log: Log) {
    this.log = log
  }

  handleWith(handler: PositionHandler): void {
    if (this.handler) throw new Error('live positions already have a handler')
    this.handler = handler
  }

  take(connection: Connection, position: Position, ref: number | undefined): void {
    const { actor } = connection
    const { handler } = this
    if (!actor) return connection.send({ t: 'err', ref, error: 'not_logged_in' })
    if (!handler) return connection.send({ t: 'err', ref, error: 'unavailable' })
    connection.waitingPositions++
    connection.positionTail = connection.positionTail.then(async () => {
      try {
        await handler(actor, position)
        if (ref !== undefined) connection.send({ t: 'ack', ref })
      } catch (error) {
        if (!(error instanceof Refusal)) this.log.error({ err: error, uid: actor.id }, 'position failed')
        connection.send({ t: 'err', ref, error: error instanceof Refusal ? error.key : 'server_error' })
      } finally {
        connection.waitingPositions--
      }
    })
  }
}
