import type { FastifyHelmetOptions } from '@fastify/helmet'

/** Origins that one page needs beyond our own, by directive. */
export interface OpenedHosts {
  form?: readonly string[]
  script?: readonly string[]
  frame?: readonly string[]
  connect?: readonly string[]
  image?: readonly string[]
  style?: readonly string[]
}

/**
 * What pages may load. The map works in a worker made from a blob, and the page's styles carry inline variables;
 * scripts come from this server alone, and from what is opened to the one page that needs it.
 */
export function contentPolicy(publicUrl: string | undefined, opened: OpenedHosts = {}): FastifyHelmetOptions {
  const secure = publicUrl?.startsWith('https:') ?? false
  const socket = publicUrl === undefined ? [] : [publicUrl.replace(/^http/, 'ws')]
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...(opened.script ?? [])],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'", ...(opened.style ?? [])],
        imgSrc: ["'self'", 'data:', 'blob:', ...(opened.image ?? [])],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...socket, ...(opened.connect ?? [])],
        frameSrc: ["'self'", ...(opened.frame ?? [])],
        workerSrc: ["'self'", 'blob:'],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'", ...(opened.form ?? [])],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
  }
}
