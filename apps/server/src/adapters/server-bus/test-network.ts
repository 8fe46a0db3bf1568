import { type Payload, payloadOf, type ServerBus } from './port.ts'

/** The buses of several servers, whose messages can be lost. */
export class TestNetwork {
  private readonly members = new Map<ServerBus, { deliver: ServerBus['send']; lose: () => void }>()
  private readonly down = new Set<ServerBus>()
  /** Those that have not noticed it yet. */
  private readonly unnoticed = new Set<ServerBus>()

  join(): ServerBus {
    const handlers = new Map<string, (subject: string, data: Payload) => void>()
    const listeners: (() => void)[] = []
    const bus: ServerBus = {
      isShared: true,
      send: (kind, subject, data) => {
        if (this.down.has(bus)) return
        const copy = JSON.stringify(data ?? null)
        for (const [member, { deliver }] of this.members)
          if (!this.down.has(member)) setImmediate(() => deliver(kind, subject, JSON.parse(copy)))
      },
      on: (kind, handler) => void handlers.set(kind, handler),
      flush: async () => {},
      whenLost: (listener) => void listeners.push(listener),
      isUp: () => !this.down.has(bus) || this.unnoticed.has(bus),
      close: async () => {},
    }
    this.members.set(bus, {
      deliver: (kind, subject, data) => handlers.get(kind)?.(subject, payloadOf(data)),
      lose: () => {
        for (const listener of listeners) listener()
      },
    })
    return bus
  }

  /** Nothing reaches this server, and nothing leaves it. */
  cut(bus: ServerBus, { isNoticed = true } = {}): void {
    this.down.add(bus)
    if (!isNoticed) this.unnoticed.add(bus)
  }

  restore(bus: ServerBus): void {
    this.down.delete(bus)
    this.unnoticed.delete(bus)
    this.tellLost(bus)
  }

  tellLost(bus: ServerBus): void {
    this.members.get(bus)?.lose()
  }
}
