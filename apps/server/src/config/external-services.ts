import type { Environment } from './environment.ts'

export interface ExternalServices {
  /** The mail server; null: mail is stored in the database. */
  mail: { smtpUrl: string; from: string } | null
  /** The SMS service; null: text messages are stored in the database. `url` undefined: the service's default. */
  sms: { url: string | undefined; key: string; secret: string; from: string } | null
  /** The voice service with its pool of numbers; null: people see each other's numbers. `url` undefined: the default. */
  voice: { url: string | undefined; account: string; token: string; numbers: string[] } | null
  /** A licence service and this installation's id there; null: nothing is checked. */
  licence: { url: string; project: string } | null
  /** S3-compatible object storage; null: files are stored under `dataDir`. `endpoint` undefined: AWS. */
  objectStorage: {
    bucket: string
    region: string
    endpoint: string | undefined
    key: string
    secret: string
  } | null
}

export interface SocialClients {
  /** Social sign-in; null: not offered. The URLs include the version of the provider's API. */
  facebook: { clientId: string; clientSecret: string; dialogUrl: string; graphUrl: string } | null
  /** `privateKey` is PEM; `url` is also the issuer of Apple's tokens. */
  apple: { clientId: string; teamId: string; keyId: string; privateKey: string; url: string } | null
}

/** External services for messages, licences and file storage; null for each that is not configured. */
export function externalServices(values: Environment): ExternalServices {
  const { SMTP_URL, MAIL_FROM, SMS_URL, SMS_KEY, SMS_SECRET, SMS_FROM } = values
  const { VOICE_URL, VOICE_ACCOUNT, VOICE_TOKEN, VOICE_NUMBERS } = values
  const { LICENCE_URL, LICENCE_PROJECT } = values
  const { STORAGE_S3_BUCKET, STORAGE_S3_REGION, STORAGE_S3_ENDPOINT, STORAGE_S3_KEY, STORAGE_S3_SECRET } =
    values
  return {
    mail: SMTP_URL && MAIL_FROM ? { smtpUrl: SMTP_URL, from: MAIL_FROM } : null,
    sms:
      SMS_KEY && SMS_SECRET && SMS_FROM
        ? { url: SMS_URL, key: SMS_KEY, secret: SMS_SECRET, from: SMS_FROM }
        : null,
    voice:
      VOICE_ACCOUNT && VOICE_TOKEN && VOICE_NUMBERS
        ? { url: VOICE_URL, account: VOICE_ACCOUNT, token: VOICE_TOKEN, numbers: VOICE_NUMBERS }
        : null,
    licence: LICENCE_URL && LICENCE_PROJECT ? { url: LICENCE_URL, project: LICENCE_PROJECT } : null,
    objectStorage:
      STORAGE_S3_BUCKET && STORAGE_S3_REGION && STORAGE_S3_KEY && STORAGE_S3_SECRET
        ? {
            bucket: STORAGE_S3_BUCKET,
            region: STORAGE_S3_REGION,
            endpoint: STORAGE_S3_ENDPOINT,
            key: STORAGE_S3_KEY,
            secret: STORAGE_S3_SECRET,
          }
        : null,
  }
}

/** The configured social sign-in providers; null for each that is not configured. */
export function socialClients(values: Environment): SocialClients {
  const { FACEBOOK_CLIENT_ID, FACEBOOK_CLIENT_SECRET } = values
  const { APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY } = values
  return {
    facebook:
      FACEBOOK_CLIENT_ID && FACEBOOK_CLIENT_SECRET
        ? {
            clientId: FACEBOOK_CLIENT_ID,
            clientSecret: FACEBOOK_CLIENT_SECRET,
            dialogUrl: values.FACEBOOK_DIALOG_URL ?? 'https://www.facebook.com/v24.0',
            graphUrl: values.FACEBOOK_GRAPH_URL ?? 'https://graph.facebook.com/v24.0',
          }
        : null,
    apple:
      APPLE_CLIENT_ID && APPLE_TEAM_ID && APPLE_KEY_ID && APPLE_PRIVATE_KEY
        ? {
            clientId: APPLE_CLIENT_ID,
            teamId: APPLE_TEAM_ID,
            keyId: APPLE_KEY_ID,
            privateKey: APPLE_PRIVATE_KEY,
            url: values.APPLE_URL ?? 'https://appleid.apple.com',
          }
        : null,
  }
}
