import type { Duplex } from 'node:stream'

/**
 * Collects the queues that have something to write and writes them at the end of the event loop's turn: many
 * events of one turn reach a socket in one system call.
 */
export class WriteRound {
  private waiting: FrameQueue[] = []

  add(queue: FrameQueue): void {
    if (this.waiting.push(queue) === 1) setImmediate(() => this.run())
  }

  private run(): void {
    const queues = this.waiting
    this.waiting = []
    for (const queue of queues) queue.flush()
  }
}

/**
 * The frames on their way to one socket, in order. Numbered frames queue without loss. Volatile ones do not queue:
 * while the client is behind, only the newest of each channel is kept, and sent when it has caught up.
 *
 * Frames are written to the socket directly: without compression a WebSocket holds nothing back between its
 * frames, and one frame serves all sockets.
 */
export class FrameQueue {
  private readonly socket: Duplex
  private readonly round: WriteRound
  private frames: Buffer[] = []
  private bytes = 0
  private readonly newest = new Map<string, Buffer>()
  private isWaiting = false
  private isClosed = false

  constructor(socket: Duplex, round: WriteRound) {
    this.socket = socket
    this.round = round
    socket.on('drain', () => this.releaseNewest())
  }

  /** Bytes that this process still holds for the client. */
  get waitingBytes(): number {
    return this.bytes + this.socket.writableLength
  }

  push(frame: Buffer): void {
    if (this.isClosed) return
    this.frames.push(frame)
    this.bytes += frame.length
    if (this.isWaiting) return
    this.isWaiting = true
    this.round.add(this)
  }

  pushVolatile(channel: string, frame: Buffer): void {
    if (this.socket.writableNeedDrain) this.newest.set(channel, frame)
    else this.push(frame)
  }

  /** Forgets what is held of a channel's volatile frames. */
  dropVolatile(channel: string): void {
    this.newest.delete(channel)
  }

  flush(): void {
    this.isWaiting = false
    const { frames, socket } = this
    if (this.isClosed || frames.length === 0) return
    this.frames = []
    this.bytes = 0
    if (frames.length === 1) {
      socket.write(frames[0])
      return
    }
    socket.cork()
    for (const frame of frames) socket.write(frame)
    socket.uncork()
  }

  /** Nothing may follow a close frame. */
  close(): void {
    this.flush()
    this.isClosed = true
    this.frames = []
    this.newest.clear()
  }

  private releaseNewest(): void {
    for (const frame of this.newest.values()) this.push(frame)
    this.newest.clear()
  }
}
