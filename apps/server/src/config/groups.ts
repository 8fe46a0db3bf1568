/** Variables that must be set together; `optional` ones are only valid with the others. */
const groups: { what: string; needed: string[]; optional: string[] }[] = [
  { what: 'mail', needed: ['SMTP_URL', 'MAIL_FROM'], optional: [] },
  { what: 'text messages', needed: ['SMS_KEY', 'SMS_SECRET', 'SMS_FROM'], optional: ['SMS_URL'] },
  {
    what: 'Facebook sign-in',
    needed: ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'],
    optional: ['FACEBOOK_DIALOG_URL', 'FACEBOOK_GRAPH_URL'],
  },
  {
    what: 'Apple sign-in',
    needed: ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
    optional: ['APPLE_URL'],
  },
  { what: 'the licence service', needed: ['LICENCE_URL', 'LICENCE_PROJECT'], optional: [] },
  {
    what: 'object storage',
    needed: ['STORAGE_S3_BUCKET', 'STORAGE_S3_REGION', 'STORAGE_S3_KEY', 'STORAGE_S3_SECRET'],
    optional: ['STORAGE_S3_ENDPOINT'],
  },
]

/** Problems with groups of which only some variables are set. */
export function incompleteGroups(given: Record<string, string | undefined>): string[] {
  return groups.flatMap(({ what, needed, optional }) => {
    const isSet = (name: string) => given[name] !== undefined
    const present = [...needed, ...optional].filter(isSet)
    const missing = needed.filter((name) => !isSet(name))
    if (present.length === 0 || missing.length === 0) return []
    return [
      `${present.join(', ')} ${present.length === 1 ? 'is' : 'are'} set, but ${what} also ` +
        `${missing.length === 1 ? 'needs' : 'need'} ${missing.join(', ')}`,
    ]
  })
}
