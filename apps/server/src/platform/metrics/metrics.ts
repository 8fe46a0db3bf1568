import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What `/metrics` shows of this process. Labels come from sets that the code fixes: never ids, names or input. */
export const registry = new Registry()
/** What `/metrics` shows also while this process does not serve. */
export const processRegistry = new Registry()

const registers = [registry]
const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
  new Counter({ name: `hansom_${name}`, help, labelNames, registers })
const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
  new Gauge({ name: `hansom_${name}`, help, labelNames, registers })
const histogram = <Label extends string = never>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: Label[] = [],
) => new Histogram({ name: `hansom_${name}`, help, buckets, labelNames, registers })

const requestBuckets = [0.005, 0.025, 0.1, 0.5, 2.5, 10]
const lagBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30]

/** Counted where it happens. */
export const metrics = {
  httpSeconds: histogram('http_request_duration_seconds', 'Time to answer requests.', requestBuckets, [
    'method',
    'route',
    'status',
  ]),
  rateLimited: counter('http_rate_limited_total', 'Requests refused because of a limit.', ['route']),
  signInFailures: counter('sign_in_failures_total', 'Wrong passwords and wrong codes.', ['kind']),

  offers: counter('offers_total', 'Requests sent to drivers.'),
  offersEnded: counter('offers_ended_total', 'Requests of drivers that ended, by how.', ['outcome']),
  timeToAccept: histogram(
    'offer_accept_seconds',
    'Time from the request until its driver accepted, by the clock of the installation.',
    [1, 2.5, 5, 10, 15, 20, 30, 60, 120, 300],
  ),
  searchesWithoutDriver: counter('searches_without_driver_total', 'Bookings for which no driver was found.'),
  bookingChanges: counter('booking_status_changes_total', 'Changes of the status of bookings.', [
    'from',
    'to',
  ]),
  positions: counter('positions_total', 'Plausible positions received from drivers.'),

  liveLag: histogram(
    'live_lag_seconds',
    'Time from writing the event of a booking to its publication.',
    lagBuckets,
  ),
  messagesLost: counter(
    'redis_messages_lost_total',
    'Times that messages between servers may have been lost; what they said is read from the database.',
  ),
  events: counter('outbox_events_total', 'Events delivered and failed attempts.', ['kind', 'result']),
  jobSeconds: histogram(
    'job_duration_seconds',
    'Run time of jobs.',
    [0.01, 0.1, 1, 10, 60],
    ['job', 'result'],
  ),
  messages: counter('messages_total', 'Emails and text messages.', ['channel', 'result']),
  pushMessages: counter('push_messages_total', 'Push messages, by service.', ['service', 'result']),
}

/** Read when the page is requested. */
export const readings = {
  databaseUp: gauge('database_up', '1 if the database answered this request.'),
  replicaLag: gauge(
    'replica_lag_seconds',
    'How far the replica for reports is behind; absent while it is away.',
  ),
  redisUp: gauge('redis_up', '1 while messages between servers arrive; absent for a single server.'),
  connections: gauge('database_connections', 'Connections of the pool.', ['state']),
  connectionsWaited: gauge('database_connection_waiters', 'Callers that wait for a connection.'),
  liveConnections: gauge('live_connections', 'Open sockets.'),
  liveChannels: gauge('live_channels', 'Channels that are or were recently followed.'),
  livePublished: counter('live_published_total', 'Events published to a channel that is followed.'),
  liveDelivered: counter('live_delivered_total', 'Frames of events sent to sockets.'),
  liveCutOff: counter('live_cut_off_total', 'Clients cut off because they did not read.'),
  liveSnapshots: counter('live_snapshots_total', 'Snapshots read for clients.'),
  drivers: gauge('driver_index_size', 'Drivers in the index.'),
  eventsWaiting: gauge('outbox_waiting', 'Events not delivered yet; 10,000 means at least that many.'),
  eventsOldest: gauge('outbox_oldest_seconds', 'Age of the oldest undelivered event.'),
  eventsParked: gauge('outbox_parked', 'Events that an admin must retry or discard.'),
  jobs: gauge('jobs', 'Jobs by state.', ['job', 'state']),
  jobsOverdue: gauge('jobs_overdue_seconds', 'How long the most overdue job has been due.', ['job']),
  ledgerChecked: gauge('ledger_check_timestamp_seconds', 'When the ledger was replayed last.'),
  ledgerDifferences: gauge('ledger_check_differences', 'Differences that the last replay found.'),
}

export const standingBy = new Gauge({
  name: 'hansom_standing_by',
  help: '1 while other servers use the database, and this one waits until they have stopped.',
  registers: [processRegistry],
})

let isWatching = false

/** Starts to observe the process itself (memory, processor, event loop), once. */
export function watchProcess(): void {
  if (isWatching) return
  isWatching = true
  collectDefaultMetrics({ register: processRegistry, prefix: 'hansom_' })
}
