import type { Duplex } from 'node:stream'

const finalText = 0x81

/** Builds a complete, unmasked WebSocket text message that can be sent to any number of sockets (RFC 6455, 5.2). */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(header + length)
  frame[0] = finalText
  if (header === 2) {
    frame[1] = length
  } else if (header === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, header, 'utf8')
  return frame
}

export interface QueueLimits {
  /** Limit on the bytes waiting for a client. */
  bytes: number
  /** Called instead of queueing a frame when the limit is exceeded. */
  whenFull(): void
}

/** Approximate memory overhead of a frame, bytes. */
const frameCost = 256

/**
 * Collects the queues with frames to write and flushes them at the end of the event loop's turn: the events of one turn
 * reach a socket in one system call.
 */
export class FlushScheduler {
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
 * The frames waiting for one socket, in order. Numbered frames queue without loss. Volatile ones do not queue: while
 * the client is behind, only the newest of each channel is stored, and it is sent once the client caught up.
 *
 * Frames are written to the socket directly: without compression a WebSocket buffers nothing between frames, and one
 * frame serves all sockets.
 */
export class FrameQueue {
  private readonly socket: Duplex
  private readonly round: FlushScheduler
  private readonly limits: QueueLimits
  private frames: Buffer[] = []
  private bytes = 0
  private readonly newest = new Map<string, Buffer>()
  private isWaiting = false
  private isClosed = false
  /** Largest single addition since the queue was last empty, bytes. */
  private largest = 0
  /** Frames written to the socket that are still in its buffer. */
  private unsent = 0
  private sent = 0
  private sentAtLastLook = -1

  constructor(socket: Duplex, round: FlushScheduler, limits: QueueLimits) {
    this.socket = socket
    this.round = round
    this.limits = limits
    socket.on('drain', () => this.releaseNewest())
  }

  /** Bytes this process holds for the client: the frames and their overhead. */
  get waitingBytes(): number {
    return this.bytes + this.socket.writableLength + (this.frames.length + this.unsent) * frameCost
  }

  /**
   * True when the limit is exceeded. The largest addition is not counted: a snapshot may have any size and cannot be
   * sent in part.
   */
  get isFull(): boolean {
    return this.waitingBytes - this.largest > this.limits.bytes
  }

  /** True when frames are waiting and none was sent since the previous call. */
  isStalled(): boolean {
    const still = this.waitingBytes > 0 && this.sent === this.sentAtLastLook
    this.sentAtLastLook = this.waitingBytes > 0 ? this.sent : -1
    return still
  }

  push(frame: Buffer): void {
    if (this.mayAdd(frame.length)) this.frames.push(frame)
  }

  /** Queues frames that belong together, such as a snapshot and the events after it. */
  pushAll(frames: readonly Buffer[]): void {
    const bytes = frames.reduce((sum, frame) => sum + frame.length, 0)
    if (this.mayAdd(bytes)) this.frames.push(...frames)
  }

  private mayAdd(bytes: number): boolean {
    if (this.isClosed) return false
    if (this.waitingBytes === 0) this.largest = 0
    if (this.isFull) {
      this.limits.whenFull()
      return false
    }
    this.largest = Math.max(this.largest, bytes)
    this.bytes += bytes
    this.schedule()
    return true
  }

  private schedule(): void {
    if (this.isWaiting) return
    this.isWaiting = true
    this.round.add(this)
  }

  pushVolatile(channel: string, frame: Buffer): void {
    if (this.socket.writableNeedDrain) this.newest.set(channel, frame)
    else this.push(frame)
  }

  /** Drops the stored volatile frame of a channel. */
  dropVolatile(channel: string): void {
    this.newest.delete(channel)
  }

  flush(): void {
    this.isWaiting = false
    const { frames, socket } = this
    if (this.isClosed || frames.length === 0) return
    this.frames = []
    this.bytes = 0
    this.unsent += frames.length
    if (frames.length === 1) {
      socket.write(frames[0], this.whenSent)
      return
    }
    socket.cork()
    for (const frame of frames) socket.write(frame, this.whenSent)
    socket.uncork()
  }

  private readonly whenSent = (): void => {
    this.unsent--
    this.sent++
  }

  /** Flushes the queue; nothing may follow a close frame. */
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
