import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg'
import { markDatabaseError } from './postgres-errors.ts'

/** A connection that marks its errors (see lostConnection); an emitted error never ends the process. */
export class DatabaseClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config)
    this.on('error', markDatabaseError)
    this.connect = marking(this.connect.bind(this))
    this.query = marking(this.query.bind(this))
  }
}

/** A pool of these connections that also marks its own errors. */
export class DatabasePool extends Pool {
  constructor(config: PoolConfig) {
    super({ ...config, Client: DatabaseClient })
    this.connect = marking(this.connect.bind(this))
  }
}

/**
 * Wraps `call` so that its errors are marked, whether it returns a promise or takes a callback as its last argument.
 */
function marking<F>(call: F & ((...args: never[]) => unknown)): F {
  const marked = (...args: unknown[]) => {
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      const marks = (error: unknown, ...rest: unknown[]) => callback(markDatabaseError(error), ...rest)
      return call(...([...args.slice(0, -1), marks] as never[]))
    }
    const result = call(...(args as never[]))
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => {
      throw markDatabaseError(error)
    })
  }
  return marked as F
}
