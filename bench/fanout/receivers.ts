import { connect, type Socket } from 'node:net'
import { microseconds, sentAtOf, topicOf } from './protocol.ts'

const text = 0x81

/**
 * Many sockets, of which each follows the topic of one trip. They parse only frame headers, so that the server is measured and not the
 * clients; `@hansom/client` would parse every frame.
 */
export class Receivers {
  received = 0
  /** Milliseconds from publishing to arrival, while `isTiming`. */
  latencies: number[] = []
  isTiming = false
  onFrame: () => void = () => {}
  private readonly sockets: Socket[] = []

  /** Opens the sockets in batches and waits until each is up to date. */
  async open(port: number, count: number, trips = 1): Promise<void> {
    for (let opened = 0; opened < count; opened += 50) {
      const batch = Math.min(50, count - opened)
      await Promise.all(
        Array.from({ length: batch }, (_, place) => this.openOne(port, opened + place, trips)),
      )
    }
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  private openOne(port: number, number: number, trips: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      this.sockets.push(socket)
      socket.once('error', reject)
      socket.write(
        `GET /live HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${number}\r\n` +
          'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      )
      let isUpgraded = false
      let greeting = ''
      let rest: Buffer | null = null
      socket.on('data', (data: Buffer) => {
        if (!isUpgraded) {
          greeting += data.toString('latin1')
          if (!greeting.includes('\r\n\r\n')) return
          isUpgraded = true
          socket.write(masked(JSON.stringify({ t: 'sub', topic: topicOf(1 + (number % trips)) })))
          greeting = greeting.slice(greeting.indexOf('\r\n\r\n') + 4)
          return
        }
        if (greeting !== 'live') {
          greeting += data.toString('latin1')
          if (!greeting.includes('"t":"live"')) return
          greeting = 'live'
          return resolve()
        }
        rest = this.readFrames(rest ? Buffer.concat([rest, data]) : data)
      })
      socket.once('close', () => reject(new Error(`the server closed a socket: ${greeting.slice(0, 80)}`)))
    })
  }

  /** Counts complete frames; returns the rest of an incomplete one. */
  private readFrames(data: Buffer): Buffer | null {
    let at = 0
    while (at + 4 <= data.length) {
      if (data[at] !== text) throw new Error('not a text frame')
      const short = data[at + 1] as number
      const start = short < 126 ? at + 2 : at + 4
      const end = start + (short < 126 ? short : data.readUInt16BE(at + 2))
      if (end > data.length) break
      this.received++
      if (this.isTiming) this.latencies.push((microseconds() - sentAtOf(data, end)) / 1000)
      at = end
    }
    this.onFrame()
    return at === data.length ? null : data.subarray(at)
  }
}

/** Builds a short text frame with the mask required of clients, all zeros. */
function masked(message: string): Buffer {
  const header = [text, 0x80 | message.length, 0, 0, 0, 0]
  return Buffer.concat([Buffer.from(header), Buffer.from(message)])
}
