/** Bounds on what sockets may cost. Times in ms of the machine, sizes in bytes. */
export interface LiveLimits {
  /** Between two signs of life asked of a client; one that gives none is closed after the next. */
  pingMs: number
  /** The largest frame a client may send. */
  frameBytes: number
  /** Frames a client may send a second, in the long run. */
  framesPerSecond: number
  /** Frames a client may send at once after a silence. */
  frameBurst: number
  topicsPerSocket: number
  /** Topics a client may open a second, in the long run and at once: each may cost a query. */
  openingsPerSecond: number
  openingBurst: number
  /** A state that is the same for everybody is read again after this, even if nobody told of a change, ms. */
  sharedStateMs: number
  /** Positions of one socket that wait for their turn. */
  waitingPositions: number
  /** Open sockets of one signed-in person, wherever they are. */
  socketsPerPerson: number
  /** Open sockets of visitors of one address. This machine's own addresses are not counted. */
  socketsPerAddress: number
  /** Open sockets of all visitors together: the rest is for people who are signed in. */
  socketsOfVisitors: number
  sockets: number
  /** Bytes waiting for a client that does not read; more, and it is cut off and has to resume. */
  waitingBytes: number
  waitingBytesOfVisitor: number
  /** How many numbered events, how many bytes of them, and how long, a channel remembers for resuming. */
  rememberedEvents: number
  rememberedBytes: number
  rememberMs: number
  /** How often it is asked again whether a session still holds. */
  sessionCheckMs: number
  /** How often it is looked whether the clock was set. */
  clockCheckMs: number
}

export const defaultLiveLimits: LiveLimits = {
  pingMs: 20_000,
  frameBytes: 8_192,
  framesPerSecond: 40,
  frameBurst: 200,
  topicsPerSocket: 100,
  openingsPerSecond: 5,
  openingBurst: 100,
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
  clockCheckMs: 1_000,
}
