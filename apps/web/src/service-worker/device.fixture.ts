import { beforeEach, vi } from 'vitest'

type Handler = (event: Record<string, unknown>) => void

export const origin = 'https://rides.example'
export const pathOf = (key: RequestInfo) => new URL(typeof key === 'string' ? key : key.url, origin).pathname

interface Shown {
  title: string
  tag: string
  data: { navigate: string; id: string | null }
  close(): void
}
/** An open window of the site. `takes`: it has the app, which answers. */
interface OpenWindow {
  id?: string
  url: string
  focused: boolean
  takes?: boolean
  mayFocus?: boolean
  sent: unknown[]
}

/** A device with the service worker, a new one for each test, and the server that it reaches. */
export class Device {
  readonly stored = new Map<string, Map<string, Response>>()
  /** Responses of the server; without one, the connection is down. */
  answers: Record<string, () => Response> = {}
  /** The requests that the server received, with their bodies. */
  heard: string[] = []
  bodies: unknown[] = []
  shown: Shown[] = []
  windows: OpenWindow[] = []
  subscribed: string[] = []
  unsubscribed = 0
  private readonly handlers = new Map<string, Handler>()

  cache(name: string) {
    const entries = this.stored.get(name) ?? new Map<string, Response>()
    this.stored.set(name, entries)
    return {
      match: async (key: RequestInfo) => entries.get(pathOf(key))?.clone(),
      put: async (key: RequestInfo, response: Response) => void entries.set(pathOf(key), response),
      delete: async (key: string) => entries.delete(key),
      keys: async () => [...entries.keys()].map((path) => ({ url: origin + path })),
    }
  }

  async start(): Promise<void> {
    const { stored, handlers } = this
    vi.resetModules()
    vi.stubGlobal('registration', this.registration())
    vi.stubGlobal('location', new URL(origin))
    vi.stubGlobal('clients', this.clients())
    vi.stubGlobal('addEventListener', (type: string, handler: Handler) => handlers.set(type, handler))
    vi.stubGlobal('caches', {
      open: async (name: string) => this.cache(name),
      keys: async () => [...stored.keys()],
      delete: async (name: string) => stored.delete(name),
      match: async (key: RequestInfo) => {
        for (const entries of stored.values()) {
          const found = entries.get(pathOf(key))
          if (found) return found.clone()
        }
        return undefined
      },
    })
    vi.stubGlobal('fetch', async (key: RequestInfo, init?: RequestInit) => {
      this.heard.push(pathOf(key))
      if (init?.body) this.bodies.push(JSON.parse(String(init.body)))
      const answer = this.answers[pathOf(key)]
      if (!answer) throw new TypeError('Failed to fetch')
      return answer()
    })
    await import('./main.ts')
  }

  private registration() {
    return {
      showNotification: async (title: string, { tag, data }: Pick<Shown, 'tag' | 'data'>) => {
        const close = () => {
          this.shown = this.shown.filter((one) => one.tag !== tag)
        }
        close()
        this.shown.push({ title, tag, data, close })
      },
      getNotifications: async ({ tag }: { tag?: string } = {}) =>
        this.shown.filter((one) => tag === undefined || one.tag === tag),
      pushManager: {
        getSubscription: async () => ({ unsubscribe: async () => void this.unsubscribed++ }),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          this.subscribed.push(applicationServerKey)
          return {
            toJSON: () => ({ endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' } }),
          }
        },
      },
    }
  }

  private clients() {
    return {
      claim: async () => {},
      matchAll: async () =>
        this.windows.map((window) => ({
          ...window,
          focus: async () => {
            if (window.mayFocus === false) throw new DOMException('not allowed')
          },
          navigate: async (url: string) => {
            window.url = url
          },
          postMessage: (message: unknown, [port]: [MessagePort]) => {
            window.sent.push(message)
            if (window.takes !== false) port.postMessage('taken')
          },
        })),
      openWindow: async (url: string) => void this.windows.push({ url, focused: true, sent: [] }),
    }
  }

  /** The worker's response; undefined if it leaves the request alone. */
  async ask(path: string, { mode = 'cors', method = 'GET' } = {}): Promise<Response | undefined> {
    let response: Promise<Response> | undefined
    const request = { url: new URL(path, origin).href, mode, method }
    this.handlers.get('fetch')?.({ request, respondWith: (given: Promise<Response>) => (response = given) })
    return response
  }

  /** Runs an event's handler to its end. */
  async dispatch(type: string, event: object): Promise<void> {
    let work: unknown
    this.handlers.get(type)?.({ ...event, waitUntil: (given: unknown) => (work = given) })
    await work
  }
}

/** A new device for each test of the file. */
export function newDevices(): () => Device {
  let device: Device
  beforeEach(async () => {
    device = new Device()
    await device.start()
    return () => vi.unstubAllGlobals()
  })
  return () => device
}
