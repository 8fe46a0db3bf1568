/** Resource limits for sockets. Times in ms of machine time, sizes in bytes. */
export interface LiveLimits {
  /** Ping interval; a client that does not respond is closed at the next ping. */
  pingMs: number
  /** The largest frame a client may send. */
  frameBytes: number
  /** Sustained frames per second from a client. */
  framesPerSecond: number
  /** Burst of frames from a client after a pause. */
  frameBurst: number
  topicsPerSocket: number
  /** Topics a client may open per second and in a burst: each may cost a query. */
  subscriptionsPerSecond: number
  subscriptionBurst: number
  /** Maximum age of a shared snapshot, even if no change was published, ms. */
  sharedStateMs: number
  /** Pending positions of one socket. */
  waitingPositions: number
  /** Open sockets of one signed-in user, on any IP address. */
  socketsPerPerson: number
  /** Open sockets of visitors on one IP address. Loopback addresses are not counted. */
  socketsPerAddress: number
  /** Open sockets of all visitors; the rest is reserved for signed-in users. */
  socketsOfVisitors: number
  sockets: number
  /** Bytes that may wait for a client that does not read; beyond that it is cut off and has to resume. */
  waitingBytes: number
  waitingBytesOfVisitor: number
  /** Limits on the number, bytes and age of the events a channel remembers for resuming. */
  rememberedEvents: number
  rememberedBytes: number
  rememberMs: number
  /** Interval of session checks. */
  sessionCheckMs: number
  /** Interval at which the state of every topic is read while events do not come from other servers. */
  pollMs: number
  /** Interval of checks whether the clock was set. */
  clockCheckMs: number
}

export const defaultLiveLimits: LiveLimits = {
  pingMs: 20_000,
  frameBytes: 8_192,
  framesPerSecond: 40,
  frameBurst: 200,
  topicsPerSocket: 100,
  subscriptionsPerSecond: 5,
  subscriptionBurst: 100,
  sharedStateMs: 2_000,
  waitingPositions: 500,
  socketsPerPerson: 50,
  socketsPerAddress: 200,
  socketsOfVisitors: 5_000,
  sockets: 20_000,
  waitingBytes: 1_048_576,
  waitingBytesOfVisitor: 131_072,
  rememberedEvents: 256,
  rememberedBytes: 262_144,
  rememberMs: 120_000,
  sessionCheckMs: 300_000,
  pollMs: 5_000,
  clockCheckMs: 1_000,
}
