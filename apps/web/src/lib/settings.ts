import type { PublicSettings } from '@hansom/contract/settings'
import { useSuspenseQuery } from '@tanstack/react-query'
import { orpc } from './api.ts'
import { queryClient } from './query-client.ts'

const options = { ...orpc.settings.get.queryOptions(), staleTime: Number.POSITIVE_INFINITY }

/** Stores the settings in the cache; an older version never replaces a newer one. */
export function storeSettings(settings: PublicSettings): void {
  queryClient.setQueryData(options.queryKey, (old) =>
    old && old.version > settings.version ? old : settings,
  )
}

/** The public settings; available from the first render. */
export function useSettings(): PublicSettings {
  return useSuspenseQuery(options).data
}

/** The settings outside of React; throws if the app has not started. */
export function currentSettings(): PublicSettings {
  const settings = queryClient.getQueryData(options.queryKey)
  if (!settings) throw new Error('settings are not loaded')
  return settings
}

/** The host that browsers load the map from; null: this server. */
export function outsideMapHost({ baseMap }: Pick<PublicSettings, 'baseMap'>): string | null {
  const url = baseMap?.style ?? baseMap?.tiles
  return url ? new URL(url).host : null
}
