import { EmbeddedUnreachable, type MountEmbedded } from './port.ts'

const modules: Readonly<Record<string, () => Promise<MountEmbedded>>> = {
  braintree: () => import('./braintree.ts').then((module) => module.mountBraintree),
  culqi: () => import('./culqi.ts').then((module) => module.mountCulqi),
}

/** The card form of a provider whose payments are made in a page of ours. Rejects with EmbeddedUnreachable. */
export async function loadEmbedded(provider: string): Promise<MountEmbedded> {
  const load = modules[provider]
  if (!load) throw new EmbeddedUnreachable()
  return load().catch((cause: unknown) => {
    throw new EmbeddedUnreachable(cause)
  })
}
