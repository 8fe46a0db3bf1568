import type { Attributes, Context, Span, SpanKind, Tracer } from '@opentelemetry/api'
import { currentOrigin, type Origin, withOrigin } from '../log/origin.ts'

/** What a span is of, as OpenTelemetry has it: a call that came in, one that went out, or work taken from a queue. */
export type SpanOf = 'SERVER' | 'CLIENT' | 'CONSUMER'

/** A span that ends later. Work that it caused carries its origin. */
export interface OpenSpan {
  origin: Origin
  end(name: string, attributes: Attributes, error?: unknown): void
}

interface Active {
  api: typeof import('@opentelemetry/api')
  tracer: Tracer
  close(): Promise<void>
}

let active: Active | undefined

/**
 * Starts tracing under the name of a service. The exporter reads the address of the collector and the other variables of
 * OpenTelemetry itself: headers, OTEL_TRACES_SAMPLER. The code is loaded only here.
 */
export async function startTracing(service: string): Promise<void> {
  const [
    api,
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  active = { api, tracer: provider.getTracer('hansom'), close: () => provider.shutdown() }
}

/** Sends what is left. A collector that does not answer delays this by a few seconds at most. */
export async function stopTracing(): Promise<void> {
  const ended = active
  active = undefined
  await ended?.close().catch(() => {})
}

/**
 * Begins a span in the trace of an origin, or its first one. Null when nothing is traced, and for the server's own work, which has
 * no origin.
 */
export function beginSpan(of: SpanOf, origin: Origin | undefined = currentOrigin()): OpenSpan | null {
  if (!active || !origin) return null
  const { api, tracer } = active
  const span = tracer.startSpan('', { kind: api.SpanKind[of] as SpanKind }, contextOf(active, origin))
  return {
    origin: { ...origin, traceparent: traceparentOf(span) },
    end(name, attributes, error) {
      span.updateName(name)
      span.setAttributes(attributes)
      // Its message may name people, so only its kind is sent.
      if (error !== undefined)
        span.setStatus({ code: api.SpanStatusCode.ERROR, message: (error as Error).name ?? 'error' })
      span.end()
    },
  }
}

/** Runs work in a span of its own, if anything is traced. Attributes must not name people. */
export async function traced<T>(
  of: SpanOf,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = beginSpan(of)
  if (!span) return work()
  try {
    const result = await withOrigin(span.origin, work)
    span.end(name, attributes)
    return result
  } catch (error) {
    span.end(name, attributes, error)
    throw error
  }
}

/** Wraps `query` of a database connection, so that each statement has a span with its name, or its first words. */
export function tracingQueries<F extends (...args: never[]) => unknown>(query: F): F {
  return new Proxy(query, {
    apply(target, self, args: unknown[]) {
      const span = active ? beginSpan('CLIENT') : null
      if (!span) return Reflect.apply(target, self, args)
      const name = nameOf(args[0])
      const end = (error?: unknown) => span.end(name, { 'db.system.name': 'postgresql' }, error ?? undefined)
      const callback = args.at(-1)
      if (typeof callback === 'function') {
        const ends = (error: unknown, ...rest: unknown[]) => {
          end(error)
          callback(error, ...rest)
        }
        return Reflect.apply(target, self, [...args.slice(0, -1), ends])
      }
      const result: unknown = Reflect.apply(target, self, args)
      if (result instanceof Promise) result.then(() => end(), end)
      else end()
      return result
    },
  })
}

function nameOf(query: unknown): string {
  const { name, text } = (typeof query === 'string' ? { text: query } : query) as {
    name?: string
    text?: string
  }
  return name ?? (text ?? 'query').trim().split(/\s+/, 3).join(' ')
}

/** The context of W3C trace context: version, trace, span and flags. */
const traceparentOf = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

function contextOf({ api }: Active, { traceparent }: Origin): Context {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return api.ROOT_CONTEXT
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return api.trace.setSpanContext(api.ROOT_CONTEXT, parent)
}
