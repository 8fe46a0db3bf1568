/** What happens on one server and concerns the sockets of all. */
export type LiveMessage =
  | { kind: 'event'; channel: string; data: unknown }
  | { kind: 'volatile'; channel: string; data: unknown }
  | { kind: 'recheck'; uid: string; why: string | undefined }

/** Carries messages to the hub of every server, the sender's own included, in the order they were sent. */
export interface LiveBus {
  send(message: LiveMessage): void
  listen(listener: (message: LiveMessage) => void): void
}

/** The bus of a single server: whoever sends has told everybody when the call returns. */
export function localBus(): LiveBus {
  const listeners: ((message: LiveMessage) => void)[] = []
  return {
    send: (message) => {
      for (const listener of listeners) listener(message)
    },
    listen: (listener) => void listeners.push(listener),
  }
}
