import type { FastifyHelmetOptions } from '@fastify/helmet'

/** Additional origins that one page needs, by directive. */
export interface AllowedOrigins {
  form?: readonly string[]
  script?: readonly string[]
  frame?: readonly string[]
  connect?: readonly string[]
  image?: readonly string[]
  style?: readonly string[]
}

/**
 * Builds the security headers, including the content security policy. The map runs in a worker created from a blob, and
 * page styles contain inline variables. Scripts come only from this server and from origins opened to the one page that
 * needs them.
 */
export function securityHeaders(
  publicUrl: string | undefined,
  opened: AllowedOrigins = {},
): FastifyHelmetOptions {
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
