// The live connection of the benchmark pages, which exists only in the page. Not part of any product bundle.
import type { ClientFrame, ServerFrame } from '@hansom/contract/live'
import type { PublicSettings } from '@hansom/contract/settings'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { startLanguage } from '../lib/i18n.ts'
import { storeSettings } from '../lib/settings.ts'

/** A topic's first state, and a change of it every `everyMs`. Volatile changes have no sequence number. */
export interface LocalTopic {
  state: () => unknown
  everyMs: number
  change: (seq: number) => unknown
  isVolatile: boolean
}

/** Replaces `WebSocket` by one whose server is the page. */
export function answerLive(topics: Record<string, LocalTopic>): void {
  class LocalSocket {
    readyState = 1
    onmessage: ((event: { data: string }) => void) | null = null
    onclose: (() => void) | null = null
    private readonly seq = new Map<string, number>()

    constructor() {
      setTimeout(() => this.say({ t: 'hello', uid: 'admin', now: Date.now(), speed: 1, pingMs: 60_000 }))
    }

    send(text: string): void {
      const frame = JSON.parse(text) as ClientFrame
      if (frame.t !== 'sub') return
      const { topic } = frame
      const source = topics[topic]
      if (source === undefined) return this.say({ t: 'err', topic, error: 'not_found' })
      const isKnown = this.seq.has(topic)
      const seq = this.seq.get(topic) ?? 0
      this.seq.set(topic, seq)
      this.say({ t: 'snap', topic, epoch: 'e', seq, data: source.state() } as ServerFrame)
      this.say({ t: 'live', topic, epoch: 'e', seq })
      if (!isKnown) setInterval(() => this.change(topic, source), source.everyMs)
    }

    close(): void {
      this.readyState = 3
    }

    private change(topic: string, source: LocalTopic): void {
      const seq = (this.seq.get(topic) ?? 0) + 1
      const data = source.change(seq)
      if (source.isVolatile) return this.say({ t: 'vol', topic, data } as ServerFrame)
      this.seq.set(topic, seq)
      this.say({ t: 'ev', topic, epoch: 'e', seq, data } as ServerFrame)
    }

    private say(frame: ServerFrame): void {
      const data = JSON.stringify(frame)
      // A task of its own, as a real frame is; its text is not the screen's work.
      setTimeout(() => this.onmessage?.({ data }))
    }
  }
  Object.assign(window, { WebSocket: LocalSocket })
}

/** Starts the texts and the settings that every screen needs, for a city around `center`. */
export function startBenchPage(center: { lat: number; lng: number }): void {
  startLanguage(
    {
      langName: 'English',
      langLocale: 'en',
      dateLocale: 'en-GB',
      default: true,
      direction: 'ltr',
      keyValuePairs: {},
    },
    [],
  )
  const delta = 0.12
  const region = {
    name: 'City',
    center,
    bounds: [center.lng - delta, center.lat - delta, center.lng + delta, center.lat + delta],
    attribution: '',
    countries: [],
  }
  storeSettings({
    ...defaultSettings,
    region,
    mapServices: [],
    callService: null,
    baseMap: null,
    version: 1,
  } as unknown as PublicSettings)
}
