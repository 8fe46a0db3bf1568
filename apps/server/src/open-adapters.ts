import { embeddedDriverIndex } from './adapters/driver-index/embedded.ts'
import { embeddedMail } from './adapters/mail/embedded.ts'
import { smtpMail } from './adapters/mail/smtp.ts'
import { boxRegion } from './adapters/maps/area.ts'
import { openOutsideMaps } from './adapters/maps/open-services.ts'
import type { Maps } from './adapters/maps/port.ts'
import { priceOf } from './adapters/maps/services/prices.ts'
import { openPayments } from './adapters/payments/registry.ts'
import { httpLicence, noLicence } from './adapters/product-licence/http.ts'
import { openPush } from './adapters/push/open-push.ts'
import { embeddedSms } from './adapters/sms/embedded.ts'
import { vonageSms } from './adapters/sms/vonage.ts'
import { embeddedStorage } from './adapters/storage/embedded.ts'
import { createImages } from './adapters/storage/images.ts'
import { createSignedLinks } from './adapters/storage/signed-links.ts'
import { twilioVoice } from './adapters/voice/twilio.ts'
import type { AppDeps } from './app-deps.ts'
import { type Config, ConfigError } from './config.ts'
import { type Clock, systemClock } from './platform/clock/clock.ts'
import type { Database } from './platform/database/database.ts'
import type { Log } from './platform/log/log.ts'
import { createMessageLog } from './platform/mailbox/message-log.ts'
import { createMapMeter } from './platform/map-calls/meter.ts'
import type { VapidKeyPair } from './platform/secrets/vapid-keys.ts'
import { createTestPayments } from './platform/test-payments/test-payments.ts'

export type Adapters = Pick<
  AppDeps,
  | 'maps'
  | 'ownMaps'
  | 'mapServices'
  | 'driverIndex'
  | 'mail'
  | 'sms'
  | 'voice'
  | 'push'
  | 'licence'
  | 'storage'
  | 'images'
  | 'messages'
  | 'mailbox'
  | 'payments'
>

/** Opens an adapter for each port: the configured external service, otherwise the embedded one. */
export async function openAdapters(
  {
    dataDir,
    mail,
    sms,
    voice,
    push,
    pushHosts,
    publicUrl,
    licence,
    objectStorage,
    payments,
    mapServices,
  }: Config,
  {
    database,
    clock,
    secret,
    vapid,
    maps,
    log,
  }: {
    database: Database
    clock: Clock
    secret: string
    vapid: VapidKeyPair
    maps: Promise<Maps>
    log: Log
  },
): Promise<Adapters> {
  const messages = createMessageLog({ database, clock })
  // External services and signed URLs use real time, even when a demo's clock runs faster.
  const now = () => systemClock.now()
  const links = createSignedLinks({ secret, now })
  return {
    ...(await openMaps(mapServices, { database, log, embedded: await maps })),
    driverIndex: embeddedDriverIndex(),
    messages,
    mail: mail ? smtpMail({ url: mail.smtpUrl, from: mail.from }) : embeddedMail(messages.store),
    sms: sms ? vonageSms({ ...sms, now }) : embeddedSms(messages.store),
    voice: voice && twilioVoice(voice),
    mailbox: { mail: embeddedMail(messages.store), sms: embeddedSms(messages.store) },
    push: openPush({
      web: { keys: vapid, subject: push.subject ?? contactOf(publicUrl, mail), hosts: pushHosts },
      fcm: push.fcm,
      expo: push.expo,
      store: messages.store,
    }),
    licence: licence ? httpLicence(licence) : noLicence,
    storage: objectStorage
      ? // Loaded only when used.
        (await import('./adapters/storage/s3.ts')).s3Storage({ ...objectStorage, links })
      : await embeddedStorage({ dataDir, links }),
    images: createImages(),
    payments: await openPayments(payments, { secret, store: createTestPayments(database, clock) }),
  }
}

/** Whom push services contact about this server, if nothing is configured. */
function contactOf(publicUrl: string | undefined, mail: Config['mail']): string {
  if (publicUrl?.startsWith('https:')) return publicUrl
  return mail === null ? 'https://localhost' : `mailto:${mail.from.replace(/^.*<(.+)>.*$/, '$1')}`
}

/** The embedded map, with the configured outside services around it. */
async function openMaps(
  { places, routes, area, areaName, cap }: Config['mapServices'],
  { database, log, embedded }: { database: Database; log: Log; embedded: Maps },
): Promise<Required<Pick<Adapters, 'maps' | 'ownMaps' | 'mapServices'>>> {
  if (places === null && routes === null) return { maps: embedded, ownMaps: embedded, mapServices: null }
  const box = area && boxRegion(area, embedded.region.attribution, areaName)
  if (area && box === null) throw new ConfigError(['MAP_AREA has its center in no country'])
  const { timezone } = box ?? embedded.region
  const meter = await createMapMeter({ database, clock: systemClock, log, timezone, cap, priceOf })
  const now = () => performance.now()
  const { maps, services } = openOutsideMaps({ embedded, places, routes, area: box, meter, now, log })
  return { maps, ownMaps: embedded, mapServices: services }
}
