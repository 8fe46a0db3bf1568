import { ApiError } from '@hansom/client/api-error'

/** The code of a page or of a part could not be loaded. It keeps the message, by which the router knows it. */
export class LoadError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'LoadError'
  }
}

/** Marks the failure of a dynamic import. */
export const loading = <Loaded>(started: Promise<Loaded>): Promise<Loaded> =>
  started.catch((error: unknown) => {
    throw error instanceof ApiError || error instanceof LoadError ? error : new LoadError(error)
  })

/** True if the server could not be reached, for a page, its data or a command; an error of our code is none of these. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof LoadError || (error instanceof ApiError && error.key === 'Fetch Call Error')
