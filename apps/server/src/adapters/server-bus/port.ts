/** The data of a message, as it was sent or as JSON: each is made only when asked for. */
export interface Payload {
  json(): string
  value(): unknown
}

/**
 * Carries messages between all servers of an installation. Every server gets every message, its own included, and all get
 * them in one order. Nothing is stored: a server that was away reads the database instead (`whenLost`).
 */
export interface ServerBus {
  /** False for a single server: what it knows itself need not be told to others. */
  readonly isShared: boolean
  /**
   * Sends a message to the handlers of `kind` on every server. `subject` says what it is about, so that a handler need not
   * read the data of messages that do not concern it. Neither may contain tabs or line breaks; `data` is sent as JSON.
   */
  send(kind: string, subject: string, data: unknown): void
  /** Registers the handler of a kind of message. Throws when it has one already. */
  on(kind: string, handler: (subject: string, data: Payload) => void): void
  /** Resolves when all that was sent before is on its way to every server, or is lost, which `whenLost` then tells all. */
  flush(): Promise<void>
  /** Calls `listener` when messages may have been lost: all that was built from messages must be read again. */
  whenLost(listener: () => void): void
  /** False while messages do not reach the other servers. They are not delivered to this one either, then. */
  isUp(): boolean
  close(): Promise<void>
}

/** Returns the payload of a value that was not serialized. */
export const payloadOf = (data: unknown): Payload => ({
  json: () => JSON.stringify(data ?? null),
  value: () => data,
})

/** The bus of a single server: `send` calls the handlers before it returns. */
export function localBus(): ServerBus {
  const handlers = new Map<string, (subject: string, data: Payload) => void>()
  return {
    isShared: false,
    send: (kind, subject, data) => handlers.get(kind)?.(subject, payloadOf(data)),
    on(kind, handler) {
      if (handlers.has(kind)) throw new Error(`messages of the kind ${kind} already have a handler`)
      handlers.set(kind, handler)
    },
    flush: async () => {},
    whenLost: () => {},
    isUp: () => true,
    close: async () => {},
  }
}
