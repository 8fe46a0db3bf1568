/** An event on one server that concerns the sockets of all servers. */
export type LiveMessage =
  | { kind: 'event'; channel: string; data: unknown }
  | { kind: 'volatile'; channel: string; data: unknown }
  | { kind: 'reauthorize'; uid: string; why: string | undefined }

/** Delivers messages to the hub of every server, including the sender's, in order. */
export interface LiveBus {
  send(message: LiveMessage): void
  listen(listener: (message: LiveMessage) => void): void
}

/** The bus of a single server; `send` delivers synchronously. */
export function localBus(): LiveBus {
  const listeners: ((message: LiveMessage) => void)[] = []
  return {
    send: (message) => {
      for (const listener of listeners) listener(message)
    },
    listen: (listener) => void listeners.push(listener),
  }
}
